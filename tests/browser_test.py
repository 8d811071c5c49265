#!/usr/bin/env python3
"""tests/browser_test.py HALFULP FOLDER -- both pages in headless Chromium, by its DevTools protocol.

A campaign on simulated targets with faults is made in FOLDER, its journal filled with hostile text,
and the pages of it opened wide and narrow, light and dark: nothing on the console, nothing loaded,
tables sort and filter, hostile text is text, Tab reaches everything, colours can be read. Exit status:
0 passed, 1 failed or there is no Chromium. CHROMIUM names another browser.
"""
import json
import os
import select
import shutil
import sqlite3
import subprocess
import sys

TARGETS = "sim-any:NAN_WINS_MIN,sim-ieee:LOST_UPDATE,sim-any"
PATIENCE_S = 120  # a browser that does not answer for so long has failed
HOSTILE = [
    "<script>window.hacked=1</script>",
    "\"><img src=x onerror=\"window.hacked=1\">",
    "</pre></details></table><svg onload=\"window.hacked=1\">",
    "\x1b[2J\x1b]0;owned\x07 \x08\x9b31m\u202etxt.exe",
    "javascript:window.hacked=1//' onmouseover='window.hacked=1",
]
LOG = ("<script>window.hacked=1</script> \x1b[31mred\x1b[0m\n" * 26000)[: 1 << 17]
SIZES = [(1280, 900, "light"), (400, 800, "light"), (1280, 900, "dark"), (400, 800, "dark")]


class Failed(Exception):
    pass


def require(ok, text):
    if not ok:
        raise Failed(text)


class Browser:
    """Chromium over a pair of pipes: JSON messages, a NUL behind each."""

    def __init__(self, path, folder):
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
                 "--no-first-run", "--disable-background-networking", "--hide-scrollbars",
                 "--user-data-dir=" + folder]
        shell = 'exec 3<&%d 4>&%d; exec "$0" "$@"' % (theirs_in, theirs_out)
        self.process = subprocess.Popen(["sh", "-c", shell, path] + flags,
                                        pass_fds=[theirs_in, theirs_out],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.fd_in, self.fd_out = ours_in, ours_out
        self.rest, self.events, self.n, self.session = b"", [], 0, None

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.fd_in)
        os.close(self.fd_out)

    def read(self):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.fd_in], [], [], PATIENCE_S)
            part = os.read(self.fd_in, 1 << 20) if ready else b""
            require(part, "the browser does not answer")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.n += 1
        message = {"id": self.n, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.fd_out, data):]
        while True:
            answer = self.read()
            if answer.get("id") == self.n:
                require("error" not in answer, "%s: %s" % (method, answer.get("error")))
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait(self, method):
        while not any(e["method"] == method for e in self.events):
            answer = self.read()
            if "method" in answer:
                self.events.append(answer)

    def open_tab(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(domain + ".enable")

    def load(self, url):
        self.events = []
        self.call("Page.navigate", url=url)
        self.wait("Page.loadEventFired")

    def show(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def run(self, script):
        answer = self.call("Runtime.evaluate", expression="(function(){%s}())" % script,
                           returnByValue=True)
        require("exceptionDetails" not in answer, "%s: %s" % (script[:60], answer))
        return answer["result"].get("value")

    def press(self, key, code):
        text = {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key,
                  windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key,
                  windowsVirtualKeyCode=code)


# ---- a page that has everything ----

def halfulp(program, *args):
    done = subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    require(done.returncode in (0, 1), "halfulp %s: %s" % (" ".join(args), done.stderr.decode()))


def make_hostile(folder):
    """Hostile text in every field that comes from a driver; a reliable and a flaky bug."""
    db = sqlite3.connect(os.path.join(folder, "journal.sqlite"))
    for i, (row,) in enumerate(db.execute("SELECT id FROM targets").fetchall()):
        text = "%d %s" % (i, HOSTILE[i % len(HOSTILE)])
        db.execute("UPDATE targets SET name = ?, facts = ? || facts WHERE id = ?",
                   (text, "device=%s\ndriver=%s\n" % (text.replace("\n", " "), HOSTILE[0]), row))
    for i, (row,) in enumerate(db.execute("SELECT id FROM findings").fetchall()):
        db.execute("UPDATE findings SET text = ?, operands = ?, instruction = ? WHERE id = ?",
                   (HOSTILE[i % len(HOSTILE)], HOSTILE[1], HOSTILE[2], row))
    db.execute("UPDATE kept SET log = ?, crash_signature = CAST(? AS TEXT)",
               (LOG, b"frame \xff\xfe\xc3"))
    heads = db.execute("SELECT first_finding FROM buckets WHERE verdict NOT IN "
                       "('divergence', 'inconclusive', 'bounded')").fetchall()
    require(len(heads) > 4, "only %d buckets of violations" % len(heads))
    for i, (row,) in enumerate(heads):
        db.execute("INSERT INTO triage(finding_id, n_runs, n_shown, n_loaded_runs, n_loaded_shown,"
                   " is_flaky, n_before, n_after, smallest, twin, matrix, wall_ns)"
                   " VALUES(?, 10, ?, 10, 10, ?, 100, ?, 'halfulp', ?, ?, 1)",
                   (row, 7 if i % 4 == 0 else 10, i % 4 == 0, i + 1, HOSTILE[0],
                    "%s\tulp\t3\t3\nother\tok\t0\t3\n" % HOSTILE[1]))
    db.commit()
    db.close()


def make_page(program, folder):
    campaign = os.path.join(folder, "campaign")
    pages = {"html": "report.html", "trust": "report-trust.html"}
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    halfulp(program, "run", "--cases", "150", "--seed", "5", "--targets", TARGETS, "-q", "-o",
            campaign)
    make_hostile(campaign)
    for name, page in pages.items():
        halfulp(program, "report", "--format", name, "-o", os.path.join(folder, page), campaign)
    return ["file://" + os.path.abspath(os.path.join(folder, page)) for page in pages.values()]


# ---- what is looked at ----

# Helpers within the page.
PAGE = """
function all(s, e) { return Array.prototype.slice.call((e || document).querySelectorAll(s)); }
function rows(id) { return all('#' + id + ' ~ .table').shift().querySelector('tbody').rows; }
function shown(id) {
  return Array.prototype.filter.call(rows(id), function (r) { return r.checkVisibility(); })
    .map(function (r) { return all('td, th', r).map(function (c) { return c.textContent; }); });
}
function bar(id) { return all('#' + id + ' ~ .filters').shift(); }
function head(id, title) {
  return all('th', all('#' + id + ' ~ .table').shift().querySelector('thead'))
    .filter(function (th) { return th.textContent === title; })[0];
}
function stops() {
  return all('a[href], button, input, select, summary, [tabindex="0"]')
    .filter(function (e) { return e.checkVisibility(); });
}
"""


def check_quiet(b):
    bad = [e for e in b.events if e["method"] in ("Runtime.exceptionThrown", "Log.entryAdded",
                                                   "Runtime.consoleAPICalled")]
    require(not bad, "on the console: %s" % json.dumps(bad)[:500])
    urls = [e["params"]["request"]["url"] for e in b.events
            if e["method"] == "Network.requestWillBeSent"]
    require(len(urls) == 1, "the page loads: %s" % urls)


def check_hostile(b):
    seen = b.run("""return {scripts: document.scripts.length, hacked: typeof window.hacked,
        images: document.images.length, text: document.body.textContent}""")
    require(seen["scripts"] == 1 and seen["images"] == 0, "foreign elements in the page")
    require(seen["hacked"] == "undefined", "a foreign script ran")
    for text in ("<script>window.hacked=1</script>", "<img src=x onerror=", "\\x1b[2J", "\\x1b[31m",
                 "\\u{202e}", "frame \\xff\\xfe\\xc3", "of 131,072 bytes are shown"):
        require(text in seen["text"], "the page does not show %s" % text)
    bad = [c for c in seen["text"] if (c < " " and c != "\n") or "\x7f" <= c < "\xa0" or
           c == "\u202e"]
    require(not bad, "controls in the page: %s" % bad[:5])


def number(text):
    return float(text.replace(",", ""))


def check_sorting(b):
    """By Enter and by a click; numbers as numbers, once up and once down."""
    for by_key in (True, False):
        b.run("head('findings', 'findings').querySelector('button').focus()")
        states, columns = [], []
        for _ in range(2):
            if by_key:
                b.press("Enter", 13)
            else:
                b.run("document.activeElement.click()")
            states.append(b.run("return head('findings', 'findings').getAttribute('aria-sort')"))
            columns.append([number(r[3]) for r in b.run("return shown('findings')")])
        require(sorted(states) == ["ascending", "descending"], "aria-sort: %s" % states)
        for state, column in zip(states, columns):
            require(len(set(column)) > 2, "nothing to sort")
            require(column == sorted(column, reverse=state == "descending"),
                    "not sorted %s: %s" % (state, column))
    b.run("head('findings', 'verdict').querySelector('button').click()")
    column = [r[1] for r in b.run("return shown('findings')")]
    require(len(set(column)) > 1 and column == sorted(column), "not sorted by text: %s" % column)
    n = b.run("return all('[aria-sort]').length")
    require(n == 1, "%d columns say that they sort" % n)


def check_filters(b):
    everything = b.run("return shown('findings')")
    verdicts = sorted({r[1] for r in everything})
    targets = sorted({r[2] for r in everything})
    require(len(verdicts) > 1 and len(targets) > 1, "nothing to choose from")
    b.run("bar('findings').querySelector('input').focus()")
    b.call("Input.insertText", text=verdicts[0].upper())
    some = b.run("return shown('findings')")
    wanted = [r for r in everything if verdicts[0] in " ".join(r).lower()]
    require(0 < len(some) < len(everything) and some == wanted, "the text filters wrongly")
    said = b.run("return bar('findings').querySelector('[role=status]').textContent")
    require(said == "%d of %d rows" % (len(some), len(everything)), "status: %s" % said)
    b.run("var e = bar('findings').querySelector('input'); e.value = ''; "
          "e.dispatchEvent(new Event('input'))")
    for k, (column, texts) in enumerate(((1, verdicts), (2, targets))):
        for text in texts:
            b.run("var e = all('select', bar('findings'))[%d]; e.value = %s; "
                  "e.dispatchEvent(new Event('change'))" % (k, json.dumps("=" + text)))
            some = b.run("return shown('findings')")
            wanted = [r for r in everything if r[column] == text]
            require(wanted and some == wanted, "the choice of %s filters wrongly" % text)
        b.run("var e = all('select', bar('findings'))[%d]; e.value = ''; "
              "e.dispatchEvent(new Event('change'))" % k)
    require(b.run("return shown('findings')") == everything, "rows are lost")


def check_focus(b):
    """Tab from the top stops at each thing that can be used, each with a ring around it."""
    b.run("document.activeElement.blur(); window.scrollTo(0, 0); stops().forEach("
          "function (e, i) { e.dataset.stop = i; })")
    n = b.run("return stops().length")
    seen, bare = set(), []
    for _ in range(2 * n):
        b.press("Tab", 9)
        stop = b.run("var e = document.activeElement, s = getComputedStyle(e); return "
                     "{i: e.dataset.stop, ring: s.outlineStyle !== 'none', name: e.outerHTML.slice(0, 80)}")
        if stop.get("i") is None or stop["i"] in seen:
            break
        seen.add(stop["i"])
        if not stop["ring"]:
            bare.append(stop["name"])
    require(n > 50 and len(seen) == n, "Tab reaches %d of %d" % (len(seen), n))
    require(not bare, "no ring at the focus: %s" % bare[:3])


def check_names(b, wanted):
    nodes = b.call("Accessibility.getFullAXTree")["nodes"]
    roles = ("button", "link", "searchbox", "combobox", "image", "region", "article", "navigation",
             "DisclosureTriangle")
    counts = {}
    for node in nodes:
        role = node.get("role", {}).get("value")
        if role in roles and not node.get("ignored"):
            counts[role] = counts.get(role, 0) + 1
            require(node.get("name", {}).get("value", "").strip(), "a %s without a name" % role)
    for role in wanted:
        require(counts.get(role), "no %s in the accessibility tree: %s" % (role, counts))


def check_width(b):
    wide = b.run("return [document.documentElement.scrollWidth, window.innerWidth]")
    require(wide[0] <= wide[1], "the page is %d pixels wide in a window of %d" % tuple(wide))


# Every text against what is behind it: the contrast of WCAG 2.1, 1.4.3.
CONTRAST = """
function light(c) {
  var v = c.match(/[0-9.]+/g).slice(0, 3).map(function (x) {
    x /= 255;
    return x <= 0.03928 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4);
  });
  return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
}
function back(e) {
  for (; e; e = e.parentElement) {
    var c = getComputedStyle(e).backgroundColor;
    if (!/, 0\\)$/.test(c) && c !== 'transparent') { return c; }
  }
  return 'rgb(255, 255, 255)';
}
var worst = {ratio: 99, n: 0, back: back(document.body)};
all('body *').forEach(function (e) {
  var own = Array.prototype.some.call(e.childNodes, function (c) {
    return c.nodeType === 3 && c.data.trim();
  });
  if (!own || !e.checkVisibility() || e.tagName === 'SCRIPT') { return; }
  var style = getComputedStyle(e), is_svg = e.namespaceURI.indexOf('svg') > 0;
  var x = light(is_svg ? style.fill : style.color), y = light(back(e));
  var ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  worst.n++;
  if (ratio < worst.ratio) { worst.ratio = ratio; worst.text = e.outerHTML.slice(0, 80); }
});
return worst;
"""


def check_colours(b, scheme):
    worst = b.run(CONTRAST)
    channel = int(worst["back"].split("(")[1].split(",")[0])
    require((channel < 64) == (scheme == "dark"), "%s has the background %s" % (scheme, worst["back"]))
    require(worst["n"] > 200 and worst["ratio"] >= 4.5, "contrast: %s" % worst)


def check_without_script(b, url, parts):
    def count(selector):
        root = b.call("DOM.getDocument")["root"]["nodeId"]
        return len(b.call("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"])
    b.load(url)
    with_script = [count(p) for p in parts]
    b.call("Emulation.setScriptExecutionDisabled", value=True)
    b.load(url)
    without = [count(p) for p in parts]
    require(count("thead button") == 0 and count(".filters") == 0, "the script ran all the same")
    require(min(without) > 0 and with_script == without,
            "without script %s of %s: %s, with it %s" % (parts, url, without, with_script))
    b.call("Emulation.setScriptExecutionDisabled", value=False)


def check_links(b):
    """What a link of a table leads to on its page opens, folded or not; what leads to the other page names a bug of it."""
    links = "all('td a[href^=\"#\"], th a[href^=\"#\"]')"
    places = b.run("var n = {}; " + links + """.forEach(function (a, i) {
        var tag = document.getElementById(a.hash.slice(1)).tagName; n[tag] = n[tag] || i + 1; });
        return n""")
    require(list(places) in (["ARTICLE"], ["DETAILS"]), "links lead to %s" % places)
    for i in places.values():
        b.run(links + "[%d].click()" % (i - 1))
        b.wait("Page.navigatedWithinDocument")
        b.events = [e for e in b.events if e["method"] != "Page.navigatedWithinDocument"]
        is_open = b.run("var e = document.getElementById(location.hash.slice(1)); "
                        "return e.checkVisibility() && (e.tagName !== 'DETAILS' || e.open)")
        require(is_open, "link %d leads to what is folded" % i)


def find_other(b):
    """The findings that the table names on the first page."""
    return set(b.run("return all('th a[href^=\"report.html#\"]').map(function (a) { return a.hash.slice(1); })"))


def check_bugs(b, width):
    """On a phone the title of a bug is first, and each other cell below it with its label."""
    boxes = b.run("""return all('.bugs tbody tr').map(function (r) { return all('th, td', r).map(
        function (c) { var x = c.getBoundingClientRect();
                       return [x.left, x.top, getComputedStyle(c, '::before').content]; }); })""")
    require(len(boxes) > 4, "only %d bugs" % len(boxes))
    for row in boxes:
        tops = [cell[1] for cell in row]
        is_stacked = all(x < y for x, y in zip(tops, tops[1:])) and len({cell[0] for cell in row}) == 1
        labels = [cell[2] for cell in row[1:]]
        require(is_stacked == (width < 640), "cells at %s" % row)
        require(width >= 640 or all(": " in label for label in labels), "labels: %s" % labels)


def check_first(b, url):
    for width, height, scheme in SIZES:
        b.show(width, height, scheme)
        b.load(url)
        b.call("Runtime.evaluate", expression=PAGE)
        for name, check in (("width", check_width), ("hostile", check_hostile),
                            ("colours", lambda b, s=scheme: check_colours(b, s)),
                            ("names", lambda b: check_names(b, ("link", "article", "button"))),
                            ("bugs", lambda b, w=width: check_bugs(b, w)),
                            ("focus", check_focus), ("links", check_links), ("quiet", check_quiet)):
            try:
                check(b)
            except Failed as why:
                raise Failed("first page, %d %s, %s: %s" % (width, scheme, name, why)) from None
        print("browser: first page, %d %s: ok" % (width, scheme))
    check_without_script(b, url, ("tbody tr", "article", "details", "dd", "h2"))
    return set(b.run("return Array.prototype.map.call(document.querySelectorAll('article'), "
                     "function (e) { return e.id; })"))


def check_page(b, url, bugs):
    for width, height, scheme in SIZES:
        b.show(width, height, scheme)
        b.load(url)
        b.call("Runtime.evaluate", expression=PAGE)
        where = "%d %s" % (width, scheme)
        for name, check in (("width", check_width), ("hostile", check_hostile),
                            ("colours", lambda b, s=scheme: check_colours(b, s)),
                            ("names", lambda b: check_names(b, ("link", "searchbox", "combobox"))),
                            ("focus", check_focus),
                            ("sorting", check_sorting), ("filters", check_filters),
                            ("links", check_links), ("quiet", check_quiet)):
            try:
                check(b)
            except Failed as why:
                raise Failed("%s, %s: %s" % (where, name, why)) from None
        print("browser: %s: ok" % where)
        require(bugs <= find_other(b), "the table lacks %s" % (bugs - find_other(b)))
    check_without_script(b, url, ("tbody tr", "details", "svg", "dd", "h2"))
    print("browser: without script: ok")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    path = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if not path:
        print("browser: FAILED: chromium is not here")
        return 1
    first, second = make_page(sys.argv[1], sys.argv[2])
    b = Browser(path, os.path.join(sys.argv[2], "profile"))
    try:
        b.open_tab()
        check_page(b, second, check_first(b, first))
    finally:
        b.close()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        print("browser: FAILED: %s" % failure)
        sys.exit(1)
