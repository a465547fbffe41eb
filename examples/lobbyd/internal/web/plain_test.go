package web_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// scripts allows or forbids the scripts of pages.
func (b tab) scripts(allowed bool) {
	b.T.Helper()
	if _, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: !allowed}); err != nil {
		b.T.Fatal(err)
	}
}

// text is an expression for the text of the table, with its links.
const text = `[...document.querySelectorAll("tbody tr")].map((row) =>
	[row.className, row.querySelector("a").getAttribute("href"), ...[...row.cells].map((cell) => cell.textContent.trim())].
		join("|").replace(/(\d),(?=\d{3})/g, "$1"))`

// counts is an expression for the numbers above the table.
const counts = `document.querySelector(".tiles").innerText.replace(/\s+/g, " ") +
	document.getElementById("count").textContent`

// Without scripts, the pages show the same games as with them, in the same order and form.
func TestPagesAreTheSameWithoutScripts(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	all := lively(260)
	s.day(all)
	dir := os.Getenv("LOBBYD_SCREENSHOTS")
	if dir == "" {
		dir = t.ArtifactDir()
	}
	picture := func(name string) {
		t.Helper()
		png, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i, path := range []string{
		"/", "/?quarantined=1", "/?family=warzone&q=rush", "/?game=battlefield2&range=week", "/?q=nothing",
		"/?q=%3Cimg", "/?range=year&family=none",
	} {
		b.scripts(false)
		b.Do(chromedp.Navigate(s.URL + path))
		plain := browsertest.Eval[[]string](b.Tab, text)
		counted := browsertest.Eval[string](b.Tab, counts)
		drawn := browsertest.Eval[[]string](b.Tab, `[...document.querySelectorAll(".tile svg")].map((e) => e.ariaLabel)`)
		rest := browsertest.Eval[string](b.Tab, `document.querySelector("main > noscript").innerText`)
		unusable := browsertest.Eval[[]string](b.Tab,
			`[...document.querySelectorAll("main :is(input, select, button), #link")].
			filter((e) => !e.closest("thead") && e.checkVisibility()).map((e) => e.outerHTML)`)
		if len(unusable) > 0 {
			t.Errorf("%s shows %q", path, unusable)
		}
		picture(fmt.Sprint("plain-", i))
		b.scripts(true)
		b.open(s.URL + path)
		b.Until(`document.querySelector("tbody button.star") || !document.querySelector("tbody tr")`)
		if diff := cmp.Diff(browsertest.Eval[[]string](b.Tab, text), plain, sameAges); diff != "" {
			t.Errorf("%s (-scripts +none):\n%s", path, diff)
		}
		b.Until(`document.querySelector(".tiles svg").ariaLabel.includes("now")`)
		if with := browsertest.Eval[string](b.Tab, counts); with != counted {
			t.Errorf("%s: got %q, with scripts %q", path, counted, with)
		}
		for j, label := range browsertest.Eval[[]string](b.Tab,
			`[...document.querySelectorAll(".tile svg")].map((e) => e.ariaLabel)`) {
			if !strings.HasPrefix(label, drawn[j]) {
				t.Errorf("%s: got %q, with scripts %q", path, drawn[j], label)
			}
		}
		if want := "159 more games have fewer players"; path == "/" && !strings.Contains(rest, want) {
			t.Errorf("no %q in %q", want, rest)
		}
	}

	b.scripts(false)
	b.Do(chromedp.Navigate(s.URL + "/server/" + all[20].ID))
	picture("plain-server")
	shown := browsertest.Eval[string](b.Tab, `document.body.innerText`)
	for _, want := range []string{"coop", all[20].Address, "maxplayers"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %q", want, shown)
		}
	}
	for _, not := range []string{"has left the list", "Connecting", "Asking", "Hidden from"} {
		if page := browsertest.Eval[string](b.Tab, `document.body.textContent`); strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
	b.Clean()
}

// sameAges ignores ages, because the pages with and without scripts are not rendered at the
// same moment.
var sameAges = cmp.Comparer(func(a, b string) bool {
	return age.ReplaceAllString(a, "some $1") == age.ReplaceAllString(b, "some $1")
})

var age = regexp.MustCompile(`[0-9]+ (s|min|h)\b`)

// The first page is bounded, and shows the games with the most players, whatever the number of
// games.
func TestFirstPageIsBounded(t *testing.T) {
	s := show(t, nil)
	var all []catalogue.Entry
	for i := range 5000 {
		all = append(all, game(catalogue.Warzone, i, fmt.Sprint("Game ", i), i*7919%5000-1))
	}
	s.set(all...)
	body := s.ask("GET", "/").Body.String()
	if n := strings.Count(body, "<tr>"); n != 101 {
		t.Errorf("%d rows", n)
	}
	at := -1
	for i := range 100 {
		next := strings.Index(body, fmt.Sprintf("<span>%d / 8</span>", 4998-i))
		if next <= at {
			t.Fatalf("the game with %d players is at %d, after %d", 4998-i, next, at)
		}
		at = next
	}
	zipped := s.ask("GET", "/", "Accept-Encoding: gzip")
	if zipped.Header().Get("Content-Encoding") != "gzip" || zipped.Body.Len() > len(body)/5 {
		t.Errorf("%d bytes of %d, %v", zipped.Body.Len(), len(body), zipped.Header())
	}
}

// Browsers find the icon at the usual path, and may cache it.
func TestBrowsersFindTheIcon(t *testing.T) {
	r, body := fetch(t, show(t, nil).URL+"/favicon.ico")
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "image/svg+xml" ||
		r.Header.Get("Cache-Control") != "public, max-age=86400" || !strings.HasPrefix(body, "<svg") {
		t.Errorf("%s %v: %s", r.Status, r.Header, body)
	}
}
