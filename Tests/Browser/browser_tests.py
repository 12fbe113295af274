#!/usr/bin/env python3
"""Drives the pages of `backstop serve` and `backstop proxy` in a real Chromium, as a person would, and looks at what is there.

    browser_tests.py COMMAND SCREENSHOTS [CHROMIUM]

COMMAND is the built command, SCREENSHOTS a folder for pictures of each state. Every test has a page of its own. What the
browser reports as an error fails the test, as does a page that is wider than its window.
"""
import json, os, pathlib, re, signal, subprocess, sys, time, traceback, urllib.parse
from playwright.sync_api import expect, sync_playwright

expect.set_options(timeout=15_000)
TESTS = []


def test(function):
    TESTS.append(function)
    return function


class Server:
    """A process of the command."""

    def __init__(self, command, port=0):
        # From another folder: the pages are part of the command.
        words = [command, "serve", "--retry-after", "2", "--port", str(port)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd="/")
        self.command = command
        line = self.process.stdout.readline()
        found = re.findall(r"http://127\.0\.0\.1:\d+", line)
        if len(found) != 2:
            sys.exit(f"The command did not say where it listens: {line!r}")
        self.base, self.other = found

    @property
    def port(self):
        return int(self.base.rsplit(":", 1)[1])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=20)


class Stage:
    """One test: a server that may be shared, and a page."""

    def __init__(self, browser, server, folder):
        self.browser, self.folder = browser, folder
        self.server, self.base, self.other = server, server.base, server.other
        self.problems, self.contexts, self.allowed = [], [], None

    def open(self, path, width=1480, height=900, scheme="light", base=None, context=None, **options):
        if context is None:
            context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options)
            context.grant_permissions(["clipboard-read", "clipboard-write"])
            self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.note(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.note(str(error)))
        page.goto((base or self.base) + path)
        if path.startswith(("/signup", "/__backstop")):
            page.wait_for_selector("body[data-ready]")
        else:
            page.wait_for_selector(".fault")
        return page

    def note(self, text):
        if not (self.allowed and re.search(self.allowed, text)):
            self.problems.append(text)

    def picture(self, page, name):
        page.screenshot(path=self.folder / f"{name}.png", animations="disabled")

    def close(self):
        for context in self.contexts:
            context.close()


def choose(page, title):
    titles = page.locator(".fault").evaluate_all("all => all.map((button) => button.firstChild.textContent)")
    page.locator(".fault").nth(titles.index(title)).click()


def finish(page):
    expect(page.locator("#chip")).not_to_have_text("Running")


def fits(page):
    width, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= window, f"the page is {width} wide in a window of {window}"


# The playground


@test
def faults_are_in_groups_and_fit_every_window(stage):
    for width in (320, 390, 820, 1100, 1480, 2000):
        page = stage.open("/", width=width)
        names = [text.split("\n")[0] for text in page.locator(".faults summary").all_inner_texts()]
        assert names == ["Statuses", "Bodies", "Connection", "Time", "Streams", "Redirects", "GraphQL"], names
        assert page.locator(".fault").count() > 50
        fits(page)


@test
def a_call_appears_as_it_happens(stage):
    page = stage.open("/")
    choose(page, "503, back in 2 seconds")
    expect(page.locator("#chip")).to_have_text("Running")
    # The first attempt is over, and the wait after it grows.
    wait = page.locator("#waterfall tr.wait")
    expect(wait).to_have_count(1)
    first = wait.locator("td.took").inner_text()
    page.wait_for_timeout(300)
    second = wait.locator("td.took").inner_text()
    assert first != second, f"the wait stays at {first}"
    expect(page.locator("#outcome")).to_have_text("status.503, waiting")
    stage.picture(page, "playground-running")
    finish(page)
    expect(page.locator("#outcome")).to_have_text("status.503")
    expect(page.locator("#sub")).to_contain_text("Handled by the default handler, after 3 attempts")
    assert page.locator("#waterfall tr.attempt.bad").count() == 3 and page.locator("#waterfall tr.wait").count() == 2
    assert all("Retry-After" in text for text in page.locator("#waterfall tr.wait td.came").all_inner_texts())
    expect(page.locator("#presentation .shown-full")).to_contain_text("Trying again in 2 seconds")
    expect(page.locator("#presentation figcaption")).to_contain_text("Full screen")
    expect(page.locator("#text-report")).to_contain_text("stopped:  all 3 attempts were used")
    fits(page)
    stage.picture(page, "playground-light")


@test
def every_group_shows_its_failure(stage):
    page = stage.open("/")
    for title, outcome, kind in [
        ("503 twice, then 200", "200 OK", None), ("404", "status.404", "alert"), ("400 with a reason", "service.signUp", "inline"),
        ("A text for a number", "decoding", "alert"), ("A sign-in page", "decoding", "alert"), ("Problem details", "service.problem", None),
        ("503 to an order", "status.503", None), ("Not HTTP", "transport.badResponse", "alert"), ("Cut short", "transport.truncated", "alert"),
        ("Too slow for the call", "timeout.deadline", "alert"), ("In circles", "transport.redirects", "alert"),
        ("Out of here", "transport.redirectRefused", "alert"), ("A mistake in the query", "service.graphQL.errors", None),
        ("A mutation", "status.503", None), ("Data and errors", "200 OK", None),
    ]:
        choose(page, title)
        finish(page)
        expect(page.locator("#outcome"), title).to_contain_text(outcome)
        shape = {"alert": ".shown-alert", "inline": ".shown-inline", "banner": ".shown-banner"}.get(kind)
        if shape:
            expect(page.locator(f"#presentation {shape}"), title).to_have_count(1)
        if outcome == "200 OK":
            expect(page.locator("#presentation figcaption"), title).to_have_text("No failure: the app goes on.")


@test
def a_stream_is_shown_while_it_arrives(stage):
    page = stage.open("/")
    choose(page, "Cut midway")
    expect(page.locator("#outcome")).to_have_text("The response arrives")
    first = page.locator("#text-body").text_content()
    assert 1 <= len(first.splitlines()) < 4, f"all at once: {first!r}"
    stage.picture(page, "playground-stream")
    finish(page)
    expect(page.locator("#outcome")).to_have_text("transport.truncated")
    # Behind the head of request and response.
    lines = page.locator("#text-body").text_content().split("\n\n", 1)[1].splitlines()
    assert lines == [f"line {n}" for n in range(1, 5)] + ["li"], lines
    choose(page, "Events, cut twice")
    finish(page)
    expect(page.locator("#outcome")).to_contain_text("204 No Content")
    # Each once, and in order, though two connections were lost.
    numbers = re.findall(r"\d+", page.locator("#text-body").text_content().split("\n\n", 1)[1])
    assert [n for i, n in enumerate(numbers) if n not in numbers[:i]] == [str(n) for n in range(1, 10)], numbers


@test
def a_subscription_goes_on_over_a_new_connection(stage):
    page = stage.open("/")
    page.get_by_label("First wait, s").fill("0")
    for title, carrier in [("A WebSocket, cut twice", "websocket"), ("A shared stream, cut twice", "shared-events")]:
        choose(page, title)
        expect(page.locator("#by")).to_have_value(carrier)
        expect(page.locator("#chip"), title).to_have_text("Value", timeout=60_000)
        text = page.locator("#text-body").text_content()
        # Each loss is told, and the numbers go on behind it up to the last one.
        assert text.count("Subscribed again, after transport.lost.") == 2, text
        numbers = [int(n) for n in re.findall(r'"counter":(\d+)', text)]
        assert numbers[0] == 1 and numbers[-1] == 15 and numbers == sorted(set(numbers)), numbers


@test
def a_code_can_be_handled_by_the_call(stage):
    page = stage.open("/")
    choose(page, "404")
    finish(page)
    page.get_by_role("button", name="Handle status.404").click()
    finish(page)
    expect(page.locator("#sub")).to_contain_text("own handler for status.404")
    expect(page.locator("#handle")).to_have_value("status.404")
    # The presenter is a default handler, so it was not asked.
    expect(page.locator("#presentation figcaption")).to_have_text("Nothing: the call’s own handler took it.")


@test
def a_link_keeps_the_setting_and_sends_nothing_by_itself(stage):
    page = stage.open("/")
    page.get_by_label("Attempts").fill("2")
    page.get_by_label("First wait, s").fill("0")
    page.get_by_role("button", name="Move Retry in").click()
    page.get_by_label("Logging", exact=False).first.uncheck()
    choose(page, "503 for good")
    finish(page)
    page.get_by_role("button", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url and "attempts=2" in link and "chain=" in link, link
    copy = stage.open(link.removeprefix(stage.base))
    expect(copy.locator("#outcome")).to_have_text("Choose a fault")
    expect(copy.get_by_label("Attempts")).to_have_value("2")
    expect(copy.locator("#target")).to_have_value("/status/503")
    expect(copy.locator("#role-logging")).not_to_be_checked()
    assert copy.url == link
    copy.get_by_role("button", name="Send").click()
    finish(copy)
    expect(copy.locator("#sub")).to_contain_text("2 attempts")


@test
def issues_of_the_order_show_as_they_arise(stage):
    page = stage.open("/", scheme="dark")
    expect(page.locator("#issues")).to_have_text("The order is right.")
    for _ in range(3):
        page.get_by_role("button", name="Move Retry in").click()
    expect(page.locator("#issues")).to_contain_text("Retry is inside StatusValidation")
    expect(page.locator("#chain li.error[data-role=retry]")).to_have_count(1)
    choose(page, "503 for good")
    finish(page)
    expect(page.locator("#sub")).to_contain_text("1 attempt ")
    page.get_by_label("Show the interceptors in the waterfall").check()
    page.get_by_role("button", name="Send").click()
    finish(page)
    assert page.locator("#waterfall tr.interceptor").count() == 8
    stage.picture(page, "playground-dark")
    page.get_by_role("button", name="Standard").click()
    expect(page.locator("#issues")).to_have_text("The order is right.")


@test
def a_role_that_is_off_does_nothing(stage):
    page = stage.open("/")
    page.locator("#role-statusValidation").uncheck()
    choose(page, "404")
    finish(page)
    expect(page.locator("#chip")).to_have_text("Value")
    expect(page.locator("#outcome")).to_contain_text("404 Not Found")


@test
def an_interceptor_can_be_dragged(stage):
    page = stage.open("/")
    # Until all is there, the list moves on the page.
    expect(page.locator("#issues")).to_have_text("The order is right.")
    page.wait_for_load_state("networkidle")
    page.locator("#chain li[data-role=deadline]").drag_to(page.locator("#chain li[data-role=decoding]"))
    expect(page.locator("#issues")).to_contain_text("Deadline is inside Retry")


@test
def a_call_can_be_stopped(stage):
    page = stage.open("/")
    page.get_by_label("Each attempt, s").fill("30")
    choose(page, "Silence")
    expect(page.locator("#chip")).to_have_text("Running")
    page.wait_for_timeout(1200)
    page.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chip")).to_have_text("Stopped")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    # It has the focus that Stop had.
    expect(page.get_by_role("button", name="Send")).to_be_focused()
    took = page.locator("#waterfall tr.attempt td.took").inner_text()
    assert re.fullmatch(r"[1-9]\.\d+ s", took), f"the attempt that was stopped after 1.2 s took {took}"
    expect(page.locator("#waterfall tr.attempt td.came")).to_have_text("stopped")


@test
def a_call_can_be_stopped_while_it_waits(stage):
    page = stage.open("/")
    page.get_by_label("First wait, s").fill("10")
    choose(page, "503, back in 2 seconds")
    expect(page.locator("#waterfall tr.wait")).to_have_count(1)
    page.wait_for_timeout(400)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#chip")).to_have_text("Stopped")
    expect(page.locator("#waterfall tr.wait td.came")).to_have_text("stopped")
    took = page.locator("#waterfall tr.wait td.took").inner_text()
    assert re.fullmatch(r"\d{3} ms|[1-9].*s", took), took


@test
def the_button_that_sends_keeps_the_focus(stage):
    page = stage.open("/")
    page.locator("#target").fill("/delay?ms=600")
    page.get_by_role("button", name="Send").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#chip")).to_have_text("Running")
    expect(page.locator("#send")).to_be_focused()
    page.keyboard.press("Enter")
    finish(page)
    expect(page.locator("#sub")).to_contain_text("1 attempt ")
    expect(page.locator("#send")).to_be_focused()


@test
def a_command_is_copied_where_it_makes_the_same_call(stage):
    page = stage.open("/")

    def copied():
        page.get_by_role("button", name=re.compile("Copy command|Copied")).click()
        page.wait_for_timeout(100)
        return page.evaluate("navigator.clipboard.readText()")

    page.get_by_label("Attempts").fill("2")
    page.get_by_label("First wait, s").fill("0")
    choose(page, "503 for good")
    assert copied() == f"backstop get {stage.base}/status/503 --attempts 2 --base-delay 0 --timeout 3 --trace"
    choose(page, "503 to a payment")
    command = copied()
    assert re.search(r"/payments -X POST -H 'Idempotency-Key: [0-9a-f-]{36}' --attempts", command), command
    # What it cannot say: the type of the content, of errors, an operation, another chain.
    for title in ("Two books", "400 with a reason", "A hero"):
        choose(page, title)
        expect(page.locator("#copy-command"), title).to_be_hidden()
    choose(page, "404")
    expect(page.locator("#copy-command")).to_be_visible()
    page.locator("#role-logging").uncheck()
    expect(page.locator("#copy-command")).to_be_hidden()
    page.get_by_role("button", name="Standard").click()
    for target in ("@evil.example/x", "//evil.example/x", "evil", "https://evil.example/", "/a b", ""):
        page.locator("#target").fill(target)
        expect(page.locator("#copy-command"), target).to_be_hidden()
    page.locator("#target").fill("/books")
    page.evaluate("navigator.clipboard.writeText('nothing')")
    page.get_by_label("Attempts").fill("")
    assert copied() == "nothing", "a command without its numbers was copied"
    link = stage.open("/?target=@evil.example/x")
    expect(link.locator("#copy-command")).to_be_hidden()


@test
def what_a_link_sets_is_seen(stage):
    page = stage.open("/?target=/books&content=books&key=1")
    expect(page.locator("#content")).to_be_visible()
    page = stage.open("/?target=/books&chain=misspelt,retry")
    expect(page.locator("#issues")).to_contain_text("misspelt")
    expect(page.locator("#role-retry")).to_be_checked()
    expect(page.locator("#role-decoding")).to_be_checked()
    page.locator("#role-logging").uncheck()
    expect(page.locator("#issues")).to_have_text("The order is right.")
    page = stage.open("/?target=/graphql&operation=hero&method=DELETE")
    expect(page.locator("#method")).to_have_value("POST")
    expect(page.locator("#method")).to_be_disabled()
    page.locator("#operation").select_option("")
    expect(page.locator("#method")).to_have_value("DELETE")
    expect(page.locator("#method")).to_be_enabled()
    page = stage.open("/?target=/graphql/live&operation=counter&by=events")
    expect(page.locator("#by")).to_have_value("events")
    page.locator("#operation").select_option("hero")
    expect(page.locator("#by")).to_be_disabled()
    assert "by=" not in page.url, page.url


@test
def limits_stay_when_a_fault_is_chosen(stage):
    page = stage.open("/")
    page.get_by_label("Whole call, s").fill("7")
    choose(page, "404")
    finish(page)
    expect(page.locator("#deadline")).to_have_value("7")
    choose(page, "Too slow for the call")
    expect(page.locator("#deadline")).to_have_value("2")
    choose(page, "404")
    expect(page.locator("#deadline")).to_have_value("7")


@test
def sentences_end(stage):
    page = stage.open("/")
    for title, text in [
        ("An error with 401", "The token has expired. Please sign in, or check your sign-in details."),
        (
            "An error with 200",
            "The request was understood, and failed all the same. Please check what you entered and try again.",
        ),
    ]:
        choose(page, title)
        finish(page)
        expect(page.locator("#presentation figcaption"), title).to_contain_text(text)


@test
def nothing_moves_for_those_who_do_not_want_it(stage):
    for motion, expected in (("reduce", "auto"), ("no-preference", "smooth")):
        page = stage.open("/", width=390, height=700, reduced_motion=motion)
        page.evaluate("() => { Element.prototype.scrollIntoView = (how) => { window.how = how.behavior; }; }")
        page.locator(".fault").first.click()
        assert page.evaluate("window.how") == expected


@test
def a_server_that_ends_during_a_call_has_gone(stage):
    stage.allowed = "ERR_|Failed to load"
    server = Server(stage.server.command)
    try:
        page = stage.open("/", base=server.base)
        page.get_by_label("Each attempt, s").fill("30")
        choose(page, "Silence")
        expect(page.locator("#stop")).to_be_visible()
        page.wait_for_timeout(500)
        server.stop()
        expect(page.locator("#outcome")).to_have_text("The server of this page has gone")
        expect(page.locator("#sub")).to_have_text("The call ended with it.")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("#sub")).to_have_text("Whether the call was made is not known.")
    finally:
        server.process.kill()


@test
def what_a_server_writes_is_text_and_never_code(stage):
    page = stage.open("/")
    attack = "<img src=x onerror=window.hit=1><script>window.hit=1</script>"
    page.locator("#target").fill("/status/500?body=" + urllib.parse.quote(attack, safe=""))
    page.get_by_label("Attempts").fill("1")
    page.get_by_role("button", name="Send").click()
    finish(page)
    page.get_by_role("tab", name="Response").click()
    expect(page.locator("#text-body")).to_contain_text(attack)
    page.locator("#handle").fill(attack.replace(" ", ""))
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#chip")).to_have_text("Failure")
    assert page.evaluate("window.hit === undefined && !document.querySelector('img[src=x]')"), "it ran"
    stage.allowed = "Content Security Policy"
    assert page.evaluate("""() => { const code = document.createElement('script'); code.textContent = 'window.hit = 2';
        document.body.append(code); return window.hit === undefined; }"""), "inline code runs"


@test
def other_servers_are_refused(stage):
    stage.allowed = "400"
    page = stage.open("/")
    for target in ("//example.com/", "https://example.com/", "/../playground/faults", "/playground/faults", "/%2e%2e/x"):
        page.locator("#target").fill(target)
        page.get_by_role("button", name="Send").click()
        expect(page.locator("#chip")).to_have_text("Not sent")
        expect(page.locator("#sub")).to_contain_text("The target")


@test
def pages_of_another_origin_cannot_use_it(stage):
    stage.allowed = "403|404|Failed to fetch|CORS|NotSameOrigin|Cross-Origin|blocked|ERR_"
    page = stage.open("/")
    sent = []
    page.on("request", lambda request: sent.append(request.url) if "/run" in request.url or "/act" in request.url else None)
    page.goto(stage.other + "/sign-in")
    target = "/flaky/503?times=1&id=foreign"
    page.evaluate("""async ([base, target]) => {
        for (const mode of ['no-cors', 'cors']) await fetch(`${base}/playground/run?target=${encodeURIComponent(target)}`, { mode }).catch(() => {});
        await fetch(`${base}/signup/act`, { method: 'POST', mode: 'no-cors', body: '{}' }).catch(() => {});
    }""", [stage.base, target])
    assert len(sent) == 3, sent
    # The first request to this target fails, so none was made before.
    assert page.context.request.get(stage.base + target).status == 503, "a page of another origin had a call made"
    page.goto(stage.other + "/sign-in")
    page.evaluate("(base) => { const link = document.createElement('a'); link.href = base + '/?target=/books'; document.body.append(link); link.click(); }", stage.base)
    expect(page.locator("#target")).to_have_value("/books")


@test
def everything_can_be_done_with_the_keyboard(stage):
    page = stage.open("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(40):
        page.keyboard.press("Tab")
        name, outline = page.evaluate("[document.activeElement.className, getComputedStyle(document.activeElement).outlineStyle]")
        assert outline != "none", f"no focus is to be seen on {name}"
        if name == "fault":
            break
    page.keyboard.press("Enter")
    finish(page)
    expect(page.locator("#outcome")).to_contain_text("200 OK")
    page.locator("#tab-report").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-log"
    expect(page.locator("#text-log")).to_be_visible()
    page.get_by_role("button", name="Move Retry out").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.move") == "retry out", "the focus was lost"
    expect(page.locator("#issues")).to_contain_text("Deadline is inside Retry")


@test
def send_is_reached_before_the_faults(stage):
    page = stage.open("/")
    for count in range(1, 20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "send":
            break
    assert count < 10, "Send comes too late"
    faults, work = (page.locator(part).bounding_box() for part in ("#faults", ".work"))
    assert faults["x"] < work["x"]


@test
def the_last_attempt_is_seen_however_short_it_was(stage):
    page = stage.open("/")
    choose(page, "503 twice, then 200")
    finish(page)
    track = page.locator("#waterfall tr.attempt .track").last.bounding_box()
    bar = page.locator("#waterfall tr.attempt .bar").last.bounding_box()
    assert bar["x"] + 2 <= track["x"] + track["width"], (bar, track)


@test
def fifty_quick_clicks_leave_one_call_which_can_be_stopped(stage):
    stage.allowed = "429"
    page = stage.open("/")
    page.get_by_label("Each attempt, s").fill("30")
    for _ in range(50):
        choose(page, "Silence")
    expect(page.locator("#chip")).to_have_text("Running")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#chip")).to_have_text("Stopped")
    choose(page, "404")
    finish(page)
    expect(page.locator("#outcome")).to_have_text("status.404")


@test
def buttons_of_the_preview_work_and_it_speaks_german(stage):
    page = stage.open("/")
    choose(page, "503, back in 2 seconds")
    finish(page)
    page.locator("#presentation [data-action=retry]").click()
    expect(page.locator("#chip")).to_have_text("Running")
    finish(page)
    page.locator("#language").select_option("de")
    choose(page, "503, back in 2 seconds")
    finish(page)
    expect(page.locator("#presentation .countdown")).to_have_text("Neuer Versuch in 2 Sekunden")
    page.locator("#presentation [data-action=dismiss]").click()
    expect(page.locator("#presentation figcaption")).to_contain_text("The person has closed it")


@test
def it_works_on_a_narrow_screen(stage):
    for scheme in ("light", "dark"):
        page = stage.open("/", width=390, height=844, scheme=scheme)
        choose(page, "503 twice, then 200")
        finish(page)
        expect(page.locator("#outcome")).to_be_in_viewport()
        fits(page)
        stage.picture(page, f"playground-narrow-{scheme}")
    colours = [stage.open("/", scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor") for scheme in ("light", "dark")]
    assert colours[0] != colours[1]


# The sign-up form


def type_name(page, name):
    page.locator("#name").press("Control+a")
    page.locator("#name").press_sequentially(name, delay=15)


@test
def a_free_name_is_checked_once_after_a_pause(stage):
    page = stage.open("/signup", width=1200, height=800)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "act" in request.url else None)
    type_name(page, "ada.lovelace")
    expect(page.locator("#message")).to_have_text("“ada.lovelace” is free.")
    assert len(asked) == len("ada.lovelace"), "each key is sent once, and nothing else"
    expect(page.locator("#waterfall tr.attempt")).to_have_count(1)
    expect(page.locator("#call-chip")).to_have_text("ok")
    expect(page.locator("#name")).to_have_attribute("aria-invalid", "false")
    stage.picture(page, "signup-free")
    page.keyboard.press("Enter")
    expect(page.locator("#welcome-title")).to_have_text("Welcome, ada.lovelace")
    stage.picture(page, "signup-welcome")
    page.get_by_role("button", name="Start again").click()
    expect(page.locator("#name")).to_be_focused()


@test
def a_name_that_is_not_accepted_is_told_at_the_field(stage):
    page = stage.open("/signup", width=1100, height=640)
    for name, text in [
        ("johndoe", "“johndoe” is taken. Please choose another name."), ("abc", "Username is too short."),
        ("admin", "Username is not valid: admin."), ("superuser", "Username is not valid: superuser."),
    ]:
        type_name(page, name)
        expect(page.locator("#message .shown-inline")).to_have_text(text)
        expect(page.locator("#name")).to_have_attribute("aria-invalid", "true")
        stage.picture(page, f"signup-{name}")
    page.locator("#name").press("x")
    expect(page.locator("#message")).to_have_text("", timeout=300)
    page.locator("#name").press("Control+a")
    page.locator("#name").press("Delete")
    page.keyboard.press("Enter")
    expect(page.locator("#message .shown-inline")).to_have_text("Username must not be empty.")


@test
def a_response_that_is_not_understood_is_an_alert(stage):
    page = stage.open("/signup", width=1200, height=800)
    type_name(page, "illegalresponse")
    alert = page.get_by_role("alertdialog", name="Please update")
    expect(alert).to_be_visible()
    expect(page.locator("[role=alertdialog]")).to_have_count(1)
    expect(page.locator("#alert-text")).to_contain_text("does not understand the server any more.")
    assert page.locator("[role=alertdialog]").get_attribute("aria-describedby") == "alert-text"
    stage.picture(page, "signup-illegalresponse")
    # Whoever is typing presses no button of what comes between.
    page.keyboard.type(" x")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    expect(alert).to_be_visible()
    page.keyboard.press("Escape")
    expect(alert).to_have_count(0)
    expect(page.locator("#name")).to_be_focused()


@test
def a_fault_of_the_server_is_a_banner_without_a_retry(stage):
    page = stage.open("/signup", width=1200, height=800)
    type_name(page, "servererror")
    banner = page.locator("#banners .shown-banner")
    expect(banner).to_contain_text("The service has a problem.")
    expect(banner.get_by_role("button")).to_have_text(["Close"])
    expect(page.locator("#waterfall tr.attempt")).to_have_count(1)
    stage.picture(page, "signup-servererror")
    banner.get_by_role("button", name="Close").click()
    expect(banner).to_have_count(0)


@test
def maintenance_counts_down_and_has_the_answer_in_the_end(stage):
    page = stage.open("/signup", width=1100, height=640, scheme="dark")
    type_name(page, "maintenance")
    screen = page.locator("#full .shown-full")
    expect(screen).to_contain_text("Back in a moment")
    seen = set()
    for _ in range(100):
        if screen.count() == 0 and page.locator("#message .free").count():
            break
        # In one step: it may be over by the next.
        counting = page.locator("#full .countdown").all_inner_texts()
        if counting:
            seen.add(counting[0])
            if len(seen) == 1:
                stage.picture(page, "signup-maintenance")
        page.wait_for_timeout(100)
    assert {"Trying again in 2 seconds", "Trying again in 1 second"} <= seen, seen
    expect(page.locator("#message")).to_have_text("“maintenance” is free.")


@test
def the_countdown_can_be_left(stage):
    page = stage.open("/signup", width=390, height=844)
    type_name(page, "maintenance!")
    expect(page.locator("#full .shown-full")).to_be_visible()
    stage.picture(page, "signup-narrow")
    fits(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#full .shown-full")).to_have_count(0)
    expect(page.locator("#name")).to_be_focused()


@test
def a_full_screen_is_announced_once_and_takes_no_keys_of_whoever_types(stage):
    page = stage.open("/signup", width=1200, height=800)
    type_name(page, "maintenance!")
    screen = page.get_by_role("group", name="Back in a moment")
    expect(screen).to_be_visible()
    expect(page.locator("#full-title")).to_be_focused()
    assert page.locator("#full [role=alert]").count() == 0
    expect(page.locator("#full .countdown")).to_have_attribute("aria-live", "off")
    # The trace of a call comes in events of its own, and its end after the screen.
    expect(page.locator("#call-chip")).to_have_text("service.userName")
    number = page.locator("#waterfall").inner_text()
    page.keyboard.type(" x")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    expect(screen).to_be_visible()
    assert page.locator("#waterfall").inner_text() == number, "a key tried again"
    page.keyboard.press("Escape")
    expect(screen).to_have_count(0)
    expect(page.locator("#name")).to_be_focused()


def said(page):
    """The acts that a page sends from now on."""
    acts = []
    page.on("request", lambda request: acts.append(json.loads(request.post_data)) if "/signup/act" in request.url else None)
    return acts


@test
def starting_again_is_about_another_account(stage):
    page = stage.open("/signup")
    type_name(page, "ada.lovelace")
    page.keyboard.press("Enter")
    expect(page.locator("#welcome-title")).to_have_text("Welcome, ada.lovelace")
    page.get_by_role("button", name="Start again").click()
    type_name(page, "ada.lovelacex")
    expect(page.locator("#message")).to_have_text("“ada.lovelacex” is free.")
    type_name(page, "ada.lovelace")
    expect(page.locator("#message")).to_have_text("“ada.lovelace” is free.")
    expect(page.locator("#welcome")).to_be_hidden()


@test
def signing_up_is_asked_for_once(stage):
    page = stage.open("/signup")
    type_name(page, "ada.lovelace")
    acts = said(page)
    page.evaluate("for (let press = 0; press < 10; press += 1) document.getElementById('form').requestSubmit()")
    assert page.locator("#message").inner_text() == "Signing up …"
    page.keyboard.type("abc")
    expect(page.locator("#welcome-title")).to_have_text("Welcome, ada.lovelace")
    assert [act["kind"] for act in acts] == ["submit"], acts


@test
def names_get_their_answer_however_they_come_back(stage):
    page = stage.open("/signup")
    for name, answer in (("johndoe", "is taken"), ("ada.lovelace", "is free")):
        type_name(page, name)
        expect(page.locator("#message")).to_contain_text(answer)
        page.locator("#name").fill("admin")
        page.keyboard.press("Enter")
        expect(page.locator("#message")).to_contain_text("is not valid")
        page.locator("#name").fill(name)
        expect(page.locator("#message")).to_contain_text(answer)
    type_name(page, "servererror")
    for _ in range(2):
        banner = page.locator("#banners .shown-banner")
        banner.get_by_role("button", name="Close").click()
        expect(banner).to_have_count(0)
        page.locator("#name").fill("")
        page.locator("#name").fill("servererror")
    expect(page.locator("#banners .shown-banner")).to_have_count(1)


@test
def a_name_of_any_length_stays_in_the_form(stage):
    for width in (320, 640, 1440):
        page = stage.open("/signup", width=width, height=700)
        for name in ("W" * 40, "abcdefghijklmnopqrstuvwxyz" * 2):
            page.locator("#name").fill(name)
            expect(page.locator("#message")).to_have_text(f"“{name}” is free.")
            fits(page)
            card = page.locator(".form-card").bounding_box()
            for part in ("#name", "#mark", "#message .free", "#submit"):
                box = page.locator(part).bounding_box()
                assert box["x"] + box["width"] <= card["x"] + card["width"] - 10, f"{part} leaves the card at {width}"
        assert page.locator("#waterfall td.step").first.bounding_box()["height"] < 34, "a step is broken into two lines"
        page.keyboard.press("Enter")
        expect(page.locator("#welcome-title")).to_be_visible()
        fits(page)


def hide(page, is_hidden):
    page.evaluate("""(isHidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
        document.dispatchEvent(new Event('visibilitychange'));
    }""", is_hidden)


@test
def tabs_do_not_stop_each_other(stage):
    first = stage.open("/signup")
    pages = [first]
    for _ in range(7):
        hide(pages[-1], True)
        pages.append(stage.open("/signup", context=first.context))
    type_name(pages[-1], "johndoe")
    expect(pages[-1].locator("#message")).to_contain_text("is taken")
    hide(pages[-1], True)
    # What was answered stays, and is not asked again; what was not is.
    acts = said(pages[-1])
    hide(pages[-1], False)
    expect(pages[-1].locator("#message")).to_contain_text("is taken")
    pages[-1].wait_for_timeout(1000)
    assert acts == [], acts
    hide(pages[-1], True)
    hide(first, False)
    type_name(first, "ada.lovelace")
    hide(first, True)
    hide(first, False)
    expect(first.locator("#message")).to_contain_text("is free")


@test
def tabs_that_are_all_visible_share_the_connections(stage):
    first = stage.open("/signup")
    pages = [first] + [stage.open("/signup", context=first.context) for _ in range(8)]
    for page in (pages[-1], first, pages[4]):
        page.locator("#name").click()
        type_name(page, "johndoe")
        expect(page.locator("#message")).to_contain_text("is taken")
    playground = stage.open("/", context=first.context)
    choose(playground, "404")
    finish(playground)


@test
def a_form_too_many_says_so_and_goes_on_when_another_is_closed(stage):
    stage.allowed = "429"
    # Each in a browser of its own: in one, only the page that is used has a stream.
    first = stage.open("/signup")
    for _ in range(3):
        stage.open("/signup")
    page = stage.open("/").context.new_page()
    page.goto(stage.base + "/signup")
    expect(page.locator("#message")).to_have_text("4 forms are open already: close one of them.")
    expect(page.locator("#names button").first).to_be_disabled()
    expect(page.locator("#name")).to_have_attribute("readonly", "")
    first.close()
    expect(page.locator("#submit")).to_be_enabled()
    type_name(page, "johndoe")
    expect(page.locator("#message")).to_contain_text("is taken")


@test
def a_key_stroke_that_does_not_arrive_is_sent_again(stage):
    stage.allowed = "ERR_FAILED"
    page = stage.open("/signup")
    failing = [True]
    page.route("**/signup/act", lambda route: route.abort() if failing[0] else route.continue_())
    page.locator("#name").fill("johndoe")
    page.wait_for_timeout(400)
    failing[0] = False
    expect(page.locator("#message")).to_contain_text("is taken")
    failing[0] = True
    page.locator("#name").fill("ada.lovelace")
    expect(page.locator("#message")).to_have_text("This did not reach the server. Please try again.")
    failing[0] = False
    page.keyboard.press("Enter")
    expect(page.locator("#welcome-title")).to_have_text("Welcome, ada.lovelace")


@test
def a_form_goes_on_when_its_server_is_back(stage):
    stage.allowed = "ERR_|Failed to load"
    server = Server(stage.server.command)
    try:
        page = stage.open("/signup", base=server.base)
        type_name(page, "ada.lovelace")
        expect(page.locator("#message")).to_contain_text("is free")
        server.stop()
        gone = "The server of this page has gone. The form goes on when it is back."
        expect(page.locator("#message")).to_have_text(gone)
        expect(page.locator("#names button").first).to_be_disabled()
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        expect(page.locator("#message")).to_have_text(gone)
        server = Server(stage.server.command, server.port)
        expect(page.locator("#message")).to_have_text("“ada.lovelace” is free.")
        page.keyboard.press("Enter")
        expect(page.locator("#welcome-title")).to_have_text("Welcome, ada.lovelace")
    finally:
        server.process.kill()


@test
def half_a_character_ends_nothing(stage):
    page = stage.open("/signup")
    page.evaluate("() => { const name = document.getElementById('name'); name.value = 'ada\\ud83d'; name.dispatchEvent(new Event('input')); }")
    page.wait_for_timeout(300)
    type_name(page, "johndoe")
    expect(page.locator("#message")).to_contain_text("is taken")


@test
def nothing_is_left_of_what_is_over(stage):
    def use():
        page = stage.open("/signup")
        type_name(page, "ada.lovelace")
        expect(page.locator("#call-chip")).to_have_text("ok")
        page.goto(stage.base + "/")
        choose(page, "404")
        finish(page)
        page.context.close()

    use()
    before = stage.server.descriptors()
    for _ in range(6):
        use()
    # Each session had four descriptors of its own, and each call four.
    deadline = time.monotonic() + 10
    while stage.server.descriptors() > before + 8 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert stage.server.descriptors() <= before + 8, f"{before} descriptors became {stage.server.descriptors()}"


@test
def a_server_that_is_gone_matters_only_when_signing_up(stage):
    page = stage.open("/signup", width=1200, height=800)
    page.get_by_label("Stop the server of the form").check()
    type_name(page, "ada.lovelace")
    expect(page.locator("#call-chip")).to_have_text("transport.refused")
    page.wait_for_timeout(300)
    assert page.locator("#message").inner_text() == "" and page.locator("#banners > *").count() == 0
    assert page.locator("dialog[open]").count() == 0
    page.get_by_role("button", name="Sign up").click()
    alert = page.get_by_role("alertdialog", name="Connection failed")
    expect(alert).to_be_visible()
    stage.picture(page, "signup-stopped")
    page.evaluate("document.getElementById('stopped').click()")
    page.get_by_role("button", name="Try Again").click()
    expect(page.locator("#welcome-title")).to_have_text("Welcome, ada.lovelace")


@test
def names_to_try_and_the_link_between_the_pages_work(stage):
    page = stage.open("/signup", width=1200, height=800)
    page.get_by_role("button", name="johndoe taken").click()
    expect(page.locator("#message")).to_contain_text("is taken")
    page.get_by_role("link", name="Playground").click()
    expect(page.locator(".fault").first).to_be_visible()
    page.get_by_role("link", name="Sign-up form").click()
    expect(page.locator("#name")).to_be_visible()


@test
def sessions_end_with_their_pages(stage):
    for _ in range(20):
        page = stage.open("/signup")
        page.context.close()
    page = stage.open("/signup")
    type_name(page, "ada.lovelace")
    expect(page.locator("#message")).to_contain_text("is free")


# The proxy


@test
def the_proxy_breaks_the_call_that_is_chosen_and_shows_it(stage):
    words = [stage.server.command, "proxy", stage.base]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd="/")
    try:
        base = re.findall(r"http://127\.0\.0\.1:\d+", process.stdout.readline())[0]
        stage.allowed = r"503|404"
        for width in (320, 820):
            fits(stage.open("/__backstop/", base=base, width=width))
        page = stage.open("/__backstop/", base=base)
        expect(page.locator("#upstream")).to_have_text(stage.base)
        fetch = "path => fetch(path).then(async (response) => [response.status, response.headers.get('Backstop-Injected'), (await response.text()).length])"
        assert page.evaluate(fetch, "/books") == [200, None, 83]
        # By the keyboard alone.
        page.locator("#fault").focus()
        for key in ("Tab", "Tab"):
            page.keyboard.press(key)
        page.keyboard.press("Control+a")
        page.keyboard.type("/books")
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_have_text("The next call is broken.")
        expect(page.locator("#faults code")).to_have_text("/books 503 times=1")
        assert page.evaluate(fetch, "/status/204")[0] == 204
        assert page.evaluate(fetch, "/books")[:2] == [503, "status 503"]
        assert page.evaluate(fetch, "/books")[0] == 200
        expect(page.locator("#log tr")).to_have_count(4)
        expect(page.locator("#log tr").nth(1)).to_contain_text("injected: status 503")
        expect(page.locator("#faults")).to_have_text("Nothing")
        page.locator("#fault").select_option("404")
        page.locator("#which").select_option("all")
        page.locator("#path").fill("/books/*")
        page.get_by_role("button", name="Break", exact=True).click()
        expect(page.locator("#faults code")).to_have_text("/books/* 404")
        assert [page.evaluate(fetch, "/books/1")[0] for _ in range(2)] == [404, 404]
        expect(page.locator("#log tr")).to_have_count(6)
        stage.picture(page, "proxy")
        page.get_by_role("button", name="Remove /books/* 404").click()
        expect(page.locator("#faults")).to_have_text("Nothing")
        stage.picture(stage.open("/__backstop/", base=base, scheme="dark", width=390), "proxy-dark-narrow")
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


def main():
    command, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    chromium = sys.argv[3] if len(sys.argv) > 3 else "/usr/bin/chromium"
    wanted = sys.argv[4:]
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    server = Server(command)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            tests = [function for function in TESTS if not wanted or function.__name__ in wanted]
            for function in tests:
                name = function.__name__.replace("_", " ")
                stage = Stage(browser, server, folder)
                try:
                    function(stage)
                    if stage.problems:
                        raise AssertionError("the browser reports: " + "; ".join(stage.problems))
                    print(f"passed  {name}")
                except Exception as error:
                    failed += 1
                    where = traceback.extract_tb(error.__traceback__)
                    line = next((entry for entry in reversed(where) if entry.filename == __file__), where[-1])
                    print(f"FAILED  {name}, at line {line.lineno}: {line.line}\n{error}")
                    for context in stage.contexts:
                        for page in context.pages:
                            page.screenshot(path=folder / f"failed-{function.__name__}.png")
                finally:
                    stage.close()
            browser.close()
        status = server.stop()
        if status != 0:
            failed += 1
            print(f"FAILED  the command ended with {status}")
    finally:
        server.process.kill()
    print(f"{len(tests)} tests in Chromium, {failed} failed. Screenshots are in {folder}.")
    return 1 if failed else 0


sys.exit(main())
