package site_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
)

// status is an expression for the line with the state of the page, and name for the message.
const (
	status = `document.getElementById("status").textContent`
	name   = `document.getElementById("result").hidden ? "" : document.getElementById("name").textContent`
)

// idle is an expression that is true if the page does not wait for its worker.
const idle = `!document.body.dataset.busy`

// chosen is an expression for what is highlighted: the bytes and the names of the fields.
const chosen = `[[...document.querySelectorAll("#bytes .chosen")].map((e) => e.textContent).join(" "),
	...[...document.querySelectorAll("tr.chosen .name")].map((e) => e.textContent)]`

// drop drops files on the page, and waits until it has read them.
func (b tab) drop(names []string, data [][]byte) {
	b.T.Helper()
	var encoded []string
	for _, d := range data {
		encoded = append(encoded, base64.StdEncoding.EncodeToString(d))
	}
	browsertest.Eval[bool](b.Tab, `(() => {
		const dropped = new DataTransfer(), names = `+browsertest.JSON(b.T, names)+`;
		for (const [i, data] of `+browsertest.JSON(b.T, encoded)+`.entries()) {
			dropped.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], names[i]));
		}
		dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, cancelable: true }));
		return true;
	})()`)
	b.Until(idle)
}

// query is a request of SQP for ServerInfo.
const query = "01 80 31 be 18 00 01 01"

// A pasted text is read in any form, and its protocol is guessed.
func TestReadsPastedForms(t *testing.T) {
	b := browse(t)
	for text, want := range map[string]string{
		query:                                 "sqp.Request",
		`b"\x01\x80\x31\xbe\x18\x00\x01\x01"`: "sqp.Request",
		"00000000: 0180 31be 1800 0101                      ..1.....\n": "sqp.Request",
		"AYAxvhgAAQE=":                          "sqp.Request",
		"# Message: sqp.QueryRequest\n" + query: "sqp.QueryRequest",
		"\\status\\":                            "gamespy1.ToServer",
		"%01%80%31%be%18%00%01%01":              "sqp.Request",
		"%fe%fd%09%01%02%03%04":                 "gamespy2.Request",
		"":                                      "",
	} {
		b.typeText(text)
		if got := browsertest.Eval[string](b.Tab, name); got != want {
			t.Errorf("%q: %q, want %q: %s", text, got, want, browsertest.Eval[string](b.Tab, status))
		}
	}
	b.Clean()
}

// The example is a message without an error.
func TestExampleHasNoError(t *testing.T) {
	b := browse(t)
	b.Do(chromedp.Click("#example"))
	b.Until(`!document.getElementById("result").hidden`)
	got := browsertest.Eval[string](b.Tab, name)
	if got != "sqp.QueryResponse" || browsertest.Eval[bool](b.Tab, `document.querySelector(".comment") !== null`) {
		t.Errorf("%q, %q", got, browsertest.Eval[[]string](b.Tab, tables))
	}
	b.Clean()
}

// For a damaged text, the page shows an error and nothing else.
func TestDamagedTextShowsItsError(t *testing.T) {
	b := browse(t)
	for text, want := range map[string]string{
		"# Message: sqp.Request\n01 8":               "odd",
		"# Message: sqp.Request\n# Chunks: x\n01 80": "Chunks",
	} {
		b.typeText(text)
		got := browsertest.Eval[string](b.Tab, status)
		if !strings.Contains(got, want) || browsertest.Eval[string](b.Tab, name) != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	b.Clean()
}

// What the pointer or the keyboard chooses in one view is highlighted in the other.
func TestEachViewHighlightsTheOther(t *testing.T) {
	b := browse(t)
	b.typeText(query)
	token, version := []string{"80 31 be 18", "token"}, []string{"00 01", "version"}
	b.Do(chromedp.Click(`#bytes b:nth-of-type(3)`))
	if got := browsertest.Eval[[]string](b.Tab, chosen); !slices.Equal(got, token) {
		t.Errorf("byte 2: %q", got)
	}
	b.Do(chromedp.Click(`#fields tbody tr:nth-child(3)`))
	if got := browsertest.Eval[[]string](b.Tab, chosen); !slices.Equal(got, version) {
		t.Errorf("row 3: %q", got)
	}
	b.Do(chromedp.KeyEvent(kb.ArrowUp))
	b.Until(`document.querySelector("tr.chosen .name").textContent !== "version"`)
	if got := browsertest.Eval[[]string](b.Tab, chosen); !slices.Equal(got, token) {
		t.Errorf("arrow up: %q", got)
	}
	b.Do(chromedp.Focus("#bytes"), chromedp.KeyEvent(kb.ArrowDown))
	b.Until(`document.querySelector("tr.chosen .name").textContent !== "token"`)
	got, said := browsertest.Eval[[]string](b.Tab, chosen), browsertest.Eval[string](b.Tab, status)
	if !slices.Equal(got, version) ||
		said != "5+2 version 1" {
		t.Errorf("arrow down: %q, %q", got, said)
	}
	b.Clean()
}

// A link shows the message again, with its format and options. A link of somebody else
// changes nothing else.
func TestLinkShowsTheMessageAgain(t *testing.T) {
	b := browse(t)
	b.typeText(read(t, filepath.Join(root, "sqp/testdata/golden/answer_info.hex")).Text)
	link, rows := browsertest.Eval[string](b.Tab, `location.hash`), browsertest.Eval[[]string](b.Tab, tables)
	if !strings.HasPrefix(link, "#Message=sqp.QueryResponse&hex=01c07a6c3d") {
		t.Errorf("link %s", link)
	}
	b.open(link)
	if again := browsertest.Eval[[]string](b.Tab, tables); !slices.Equal(again, rows) {
		t.Errorf("%q, want %q", again, rows)
	}
	for _, link := range []string{
		"#hex=zz", "#hex=0", "#hex=" + strings.Repeat("00", 5000), "#hex=01&Message=%3Cimg%20src=x%20onerror=alert(1)%3E",
		"#hex=01&Chunks=%0A%23%20Message:%20x", "#%3Cscript%3Ealert(1)%3C/script%3E", "#hex=01&__proto__=1&Constructor=2",
		"#Message=sqp.Request", "#hex=%00",
	} {
		b.open(link)
		if n := browsertest.Eval[int](b.Tab, `document.querySelectorAll("img, script:not([src])").length`); n > 0 {
			t.Errorf("%s: %d elements", link, n)
		}
	}
	b.Clean()
}

// A dropped capture is shown as a list of messages.
func TestDroppedCaptureListsMessages(t *testing.T) {
	b := browse(t)
	const sqp = "sqp/testdata/golden/"
	packets := traffictest.Packets(t, 30000, false, traffictest.Request(sqp+"query_info.hex"),
		traffictest.Answer(sqp+"answer_info.hex"))
	for i := range packets {
		packets[i] = capturetest.Ethernet(packets[i])
	}
	b.drop([]string{"games.pcap"}, [][]byte{capturetest.PCAP(1, 0, packets...)})
	const list = `[...document.querySelectorAll("#messages button")].map((e) => e.textContent.replace(/^\S+ /, ""))`
	want := []string{"192.0.2.1:5000 > 192.0.2.2:30000 sqp.Request",
		"192.0.2.2:30000 > 192.0.2.1:5000 sqp.QueryResponse"}
	if got := browsertest.Eval[[]string](b.Tab, list); !slices.Equal(got, want) {
		t.Errorf("%q, want %q; %s", got, want, browsertest.Eval[string](b.Tab, status))
	}
	b.Do(chromedp.Click("#messages li:nth-child(2) button"))
	b.Until(idle)
	if got := browsertest.Eval[string](b.Tab, name); got != "sqp.QueryResponse" {
		t.Errorf("%q", got)
	}
	b.Clean()
}

// No text from a packet, a file or its name becomes markup.
func TestNoTextBecomesMarkup(t *testing.T) {
	b := browse(t)
	const markup = `<img src=x onerror="alert(1)"><script>alert(1)</script>`
	b.drop([]string{markup + ".bin", "b"}, [][]byte{[]byte(`\status\final\` + markup), []byte("\xfe\xfd\x00" + markup)})
	b.typeText(markup)
	b.typeText("# Message: " + markup + "\n01")
	b.typeText("# Message: gamespy1.Echo\n" + hexOf(`\echo\`+markup))
	if !strings.Contains(strings.Join(browsertest.Eval[[]string](b.Tab, tables), ""), "onerror") {
		t.Error("the markup is not shown")
	}
	if n := browsertest.Eval[int](b.Tab, `document.querySelectorAll("img, script:not([src])").length`); n > 0 {
		t.Errorf("%d elements", n)
	}
	b.Clean()
}

func hexOf(s string) string {
	var digits strings.Builder
	for _, c := range []byte(s) {
		digits.WriteString(" " + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
	}
	return digits.String()
}

// Large and broken files end with an error or a bounded page.
func TestHostileFilesEndInABoundedPage(t *testing.T) {
	b := browse(t)
	for what, data := range map[string][]byte{
		"zeros":                make([]byte, 1<<20),
		"a capture of nothing": append([]byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00"), make([]byte, 1<<16)...),
		"gzip":                 []byte("\x1f\x8b\x08\x00\x00"),
		"many messages":        []byte(strings.Repeat("LIST\r\n", 1<<16)),
	} {
		b.drop([]string{what}, [][]byte{data})
		if n := browsertest.Eval[int](b.Tab, `document.querySelectorAll("*").length`); n > 100_000 {
			t.Errorf("%s: %d elements", what, n)
		}
	}
	browsertest.Eval[bool](b.Tab, `read([new File([new Uint8Array((64 << 20) + 1)], "a")]).then(() => true)`)
	if got := browsertest.Eval[string](b.Tab, status); got != "more than 64 MiB" {
		t.Errorf("too large: %q", got)
	}
	b.Clean()
}

// dropCapture drops a capture of n requests of SQP on the page, between two addresses.
func (b tab) dropCapture(n int) {
	b.T.Helper()
	capture := capturetest.PCAP(capturetest.LinkRaw, 0, traffictest.Packets(b.T, 30000, false,
		traffictest.Request("sqp/testdata/golden/query_info.hex"))...)
	const header = 24
	browsertest.Eval[bool](b.Tab, `(() => {
		const capture = Uint8Array.from(atob("`+base64.StdEncoding.EncodeToString(capture)+`"), (c) => c.charCodeAt(0));
		const parts = Array(`+strconv.Itoa(n)+`).fill(capture.slice(`+strconv.Itoa(header)+`));
		readFiles([new File([capture].concat(parts), "many.pcap")]);
		return true;
	})()`)
}

// A capture of 20 MB with 400 000 messages is read. The page shows its progress and a part of the
// list.
func TestPageShowsProgressOfLargeCaptures(t *testing.T) {
	b := browse(t)
	b.dropCapture(400_000)
	b.Until(`document.getElementById("progress").value > 0 && !document.getElementById("work").hidden`)
	if !browsertest.Eval[bool](b.Tab, `!(`+idle+`)`) {
		t.Error("the page answers only after it has read the capture")
	}
	b.Until(idle)
	const rows = `document.querySelectorAll("#messages button").length`
	left := browsertest.Eval[string](b.Tab, `document.getElementById("left").textContent`)
	if n := browsertest.Eval[int](b.Tab, rows); n != 5000 || left != "395001 more messages are not listed" {
		t.Errorf("%d rows, left %q", n, left)
	}
	b.Clean()
}

// Cancel ends the reading of a capture, and so does another text. After either, the page can read
// again.
func TestCancelEndsReading(t *testing.T) {
	b := browse(t)
	b.dropCapture(400_000)
	b.Until(`!document.getElementById("work").hidden`)
	b.Do(chromedp.Click("#cancel"))
	b.Until(idle)
	if got := browsertest.Eval[string](b.Tab, status); got != "Canceled" {
		t.Errorf("%q", got)
	}
	b.dropCapture(400_000)
	b.typeText(query)
	if got := browsertest.Eval[string](b.Tab, status); got != "1 message, read as: hexadecimal, 8 bytes" {
		t.Errorf("%q", got)
	}
	b.Clean()
}

// A worker that fails is replaced.
func TestPageSurvivesItsWorker(t *testing.T) {
	b := browse(t)
	browsertest.Eval[bool](b.Tab, `worker.postMessage({ files: [{ name: "not a file" }] }), running = {}, true`)
	b.Until(status + `.startsWith("The codecs have stopped")`)
	b.typeText(query)
	if got := browsertest.Eval[string](b.Tab, name); got != "sqp.Request" {
		t.Errorf("%q", got)
	}
	b.Clean()
}

// A link keeps a header with any character.
func TestLinkKeepsLineSeparators(t *testing.T) {
	b := browse(t)
	b.typeText("# Message: sqp.Request\n# Secret: a\u2028b: c\n" + query)
	link := browsertest.Eval[string](b.Tab, `new URLSearchParams(location.hash.slice(1)).get("Secret")`)
	if link != "a\u2028b: c" {
		t.Errorf("%q", link)
	}
	b.Clean()
}

// Controls have at least 24 CSS pixels.
func TestControlsHave24Pixels(t *testing.T) {
	b := browse(t)
	b.drop([]string{"a", "b"}, [][]byte{[]byte(query), []byte(query)})
	for _, small := range browsertest.Eval[[]string](b.Tab, `[...document.querySelectorAll(
		"textarea, input, select, button, tr[tabindex], .dump div")].filter((e) => e.checkVisibility()).filter((e) => {
			const { width, height } = e.getBoundingClientRect();
			return width < 24 || height < 24;
		}).map((e) => e.outerHTML.slice(0, 80))`) {
		t.Errorf("less than 24 pixels: %s", small)
	}
	b.Clean()
}

// axe finds no problem of accessibility. $AXE is the file axe.min.js of axe-core, which is not a
// part of this repository; without it, the test checks names and order itself.
func TestPageIsAccessible(t *testing.T) {
	b := browse(t)
	file := os.Getenv("AXE")
	for _, scheme := range []string{"light", "dark"} {
		b.Scheme(scheme)
		b.typeText(query)
		b.Do(chromedp.Focus("#fields tbody tr:nth-child(2)"))
		for _, text := range browsertest.Eval[[]string](b.Tab, unnamed) {
			t.Errorf("without a name: %s", text)
		}
		if file == "" {
			continue
		}
		axe, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		browsertest.Eval[bool](b.Tab, string(axe)+`; true`)
		for _, problem := range browsertest.Eval[[]string](b.Tab, `axe.run().then((r) => r.violations.map((v) =>
			v.id + ": " + v.nodes.map((n) => n.html.slice(0, 100)).join(" ")))`) {
			t.Errorf("%s: axe: %s", scheme, problem)
		}
	}
	b.Clean()
}

// unnamed is an expression for the controls without a label.
const unnamed = `[...document.querySelectorAll("textarea, input, select, button, [role=group], nav, section")]
	.filter((e) => !(e.labels?.length || e.ariaLabel || e.getAttribute("aria-labelledby") || e.textContent.trim()))
	.map((e) => e.outerHTML.slice(0, 80))`
