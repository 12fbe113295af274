import BackstopTestSupport

/// Makes texts with secrets at the places where texts of services have them, in one another.
///
/// Each secret contains `zq`, and nothing else does.
enum PlantedText {
    /// A text of any kind, up to three times inside of another.
    static func text(_ random: inout SeededNumbers) -> String {
        var text = plain(&random)
        for _ in 0..<Int.random(in: 0...3, using: &random) { text = wrapped(text, &random) }
        return text
    }

    private static func one(of texts: [String], _ random: inout SeededNumbers) -> String {
        texts[Int.random(in: 0..<texts.count, using: &random)]
    }

    private static func name(_ random: inout SeededNumbers) -> String {
        one(of: ["password", "token", "apiKey", "pin", "client_secret", "sessionId"], &random)
    }

    // MARK: Kinds of text

    private static func plain(_ random: inout SeededNumbers) -> String {
        let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in part(&random) }
        return parts.joined(separator: "\n")
    }

    private static func part(_ random: inout SeededNumbers) -> String {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: json(&random)
        case 1, 2: document(&random)
        case 3: toml(&random)
        case 4: yaml(&random)
        case 5: headers(&random)
        case 6: dump(&random)
        case 7: markup(&random)
        case 8: "\(name(&random))=zq1\(one(of: ["", "'", "<", "'zq<", "a+"], &random))zq2 was wrong"
        default: "sent Bearer \(one(of: ["zq1", "\"zq2\"", "'zq3'", "<zq4>", "\tzq5"], &random)) to it"
        }
    }

    private static func json(_ random: inout SeededNumbers) -> String {
        let members = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            "\"\(name(&random))\"\(one(of: [":", ": ", " : "], &random))\(jsonValue(&random))"
        }
        return "{\"n\":1,\(members.joined(separator: ",")),\"m\":\"x\"}"
    }

    private static func jsonValue(_ random: inout SeededNumbers) -> String {
        let secret = quoted(one(of: ["zq1", "zq1\\", "zq \"zq2\" zq", "\\\"zq", "zq'zq", "{zq}"], &random), &random)
        return one(of: [secret, secret, "[\(secret),1]", "{\"a\":\(secret)}", "1234", "null"], &random)
    }

    /// A document of GraphQL, with strings of both kinds and defaults of variables.
    private static func document(_ random: inout SeededNumbers) -> String {
        func value(_ random: inout SeededNumbers) -> String {
            one(
                of: [
                    #""zq1""#, #""zq1 zq2""#, #""zq1\\""#, #""zq \"zq\" x""#, #""""zq1""""#,
                    "\"\"\"\n  zq1 \"zq2\" zq\n\"\"\"", #""""zq \""" zq""""#, "1234", "$v", #"["zq1","zq2"]"#,
                    #"{a:"zq1",b:"""zq}"zq"""}"#, "null", #""""#,
                ], &random)
        }
        let comma = one(of: [",", ", ", " "], &random)
        if Bool.random(using: &random) {
            let type = one(of: ["String", "String!", "[String!]!"], &random)
            let equals = one(of: ["=", " = "], &random)
            return "query($\(name(&random)):\(type)\(equals)\(value(&random))\(comma)$\(name(&random)): \(type)"
                + "\(equals)\(value(&random))\(comma)$n:Int){a}"
        }
        return "mutation{login(\(name(&random)):\(value(&random))\(comma)\(name(&random)): \(value(&random))"
            + "\(comma)user:\"ann\"){a}}"
    }

    private static func toml(_ random: inout SeededNumbers) -> String {
        let value = one(
            of: [#""zq1""#, "'zq1 zq2'", "\"\"\"\nzq1 \"zq2\" zq\n\"\"\"", "'''zq1 'zq2' zq'''", #""zq\\""#], &random)
        return "\(name(&random)) = \(value)\nport = 8080"
    }

    private static func yaml(_ random: inout SeededNumbers) -> String {
        let value = one(
            of: [
                "zq1", "\"zq1 zq2\"", "'zq1 ''zq2'' zq'", "|\n    zq1\n    zq2 zq", ">-\n    zq1 zq2", "!secret zq1",
                "&a zq1", "\n    zq1",
            ], &random)
        return "service:\n  \(name(&random)): \(value)\n  port: 8080"
    }

    private static func headers(_ random: inout SeededNumbers) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            one(
                of: [
                    #"Cookie: theme=a; sid="zq1"; x=zq2"#, "Set-Cookie: sid=zq1; Path=/", "X-Api-Key: zq1",
                    #"Authorization: Digest username="bob", response="zq1""#, "Authorization: Basic zq1",
                    #"Cookie: a="x y"; sid=zq1"#, "Cookie: a=x'y; sid=zq1", #"Proxy-Authorization: Token token="zq1""#,
                ], &random)
        }.joined(separator: "\n")
    }

    private static func dump(_ random: inout SeededNumbers) -> String {
        one(
            of: [
                "{'\(name(&random))': u'zq1 zq2', 'n': 1, '\(name(&random))': 'zq3'}",
                ":\(name(&random))=>\"zq1 zq2\", :n=>1", "{\(name(&random)):1,\(name(&random)):\"zq1 zq2\",n:1}",
                "\(name(&random))=1;\(name(&random))=\"zq1 zq2\"", "[\"\(name(&random))\"]=>\n  string(3) \"zq1 zq2\"",
                "\(name(&random)): Optional(\"zq1 zq2\"), n: 1", "\(name(&random)) := zq1", "\(name(&random)) -> zq1",
                "\(name(&random))\t=\tzq1", "export \(name(&random))='zq1 zq2'",
                "see https://ann:zq1@a.example/p?\(name(&random))=zq2&n=1 or so",
            ], &random)
    }

    private static func markup(_ random: inout SeededNumbers) -> String {
        one(
            of: [
                "<a><password>zq1</password></a>", "<textarea name=\"\(name(&random))\">zq1 zq2</textarea>",
                "<entry key=\"\(name(&random))\">zq1</entry>", "<add key=\"\(name(&random))\" value=\"zq1 zq2\"/>",
                "<property name='db.password'><value>zq1</value></property>",
                "<input name='\(name(&random))' value='zq1 zq2'/>", "<x \(name(&random))=\"zq1 zq2\"/>",
            ], &random)
    }

    // MARK: In one another

    private static func wrapped(_ text: String, _ random: inout SeededNumbers) -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: "{\"message\":\(quoted(text, &random)),\"n\":1}"
        case 1: "{\"errors\":[{\"message\": \(quoted("Bad text: " + text, &random))}],\"t\":\"x\"}"
        case 2: "[\(quoted(text, &random)),\(quoted(part(&random), &random))]"
        default: "log: \(quoted(text, &random)) at 12:00"
        }
    }

    /// A string of JSON, quotes escaped in one of the ways in which writers do.
    private static func quoted(_ text: String, _ random: inout SeededNumbers) -> String {
        let quote = one(of: ["\\\"", "\\\"", "\\\"", "\\u0022"], &random)
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += quote
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
