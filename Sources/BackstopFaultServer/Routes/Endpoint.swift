#if Demo
    /// A path, what it is for, and what it answers.
    struct Endpoint: Sendable {
        /// The path; when it ends in a slash (and is more than that), one more component is part of the request.
        let path: String
        /// A target to try, for the listing.
        let example: String
        /// The only method that is answered; nil for all of them.
        let method: String?
        let description: String
        let answer: @Sendable (Exchange) -> Answer

        init(
            _ path: String, example: String? = nil, method: String? = nil, _ description: String,
            answer: @escaping @Sendable (Exchange) -> Answer
        ) {
            self.path = path
            self.example = example ?? path
            self.method = method
            self.description = description
            self.answer = answer
        }
    }
#endif
