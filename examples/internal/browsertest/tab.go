// Package browsertest runs pages in a headless browser.
package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Tab is a tab of a headless browser.
type Tab struct {
	Ctx context.Context // for chromedp
	T   *testing.T

	mu       sync.Mutex
	problems []string // problems that the browser reports: violations of the policy, errors, dialogs
}

// Open opens an empty tab. It skips the test if there is no browser.
func Open(t *testing.T) *Tab {
	t.Helper()
	path := suite.Program(t, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.WindowSize(1280, 900))
	limit, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	t.Cleanup(cancel)
	browser, cancel := chromedp.NewExecAllocator(limit, options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	b := &Tab{Ctx: ctx, T: t}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		suite.Missing(t, "%s does not start: %v", path, err)
	}
	if _, err := chromedp.Call(ctx, log.Enable, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *Tab) hear(event any) {
	problem := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		problem = e.Entry.Text + " " + e.Entry.URL
	case *runtime.EventExceptionThrown:
		problem = (&chromedp.ExceptionError{ExceptionDetails: e.ExceptionDetails}).Error()
	case *page.EventJavascriptDialogOpening:
		problem = "a dialog: " + e.Message
	}
	if problem != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, problem)
	}
}

// Clean fails the test if the browser has reported problems.
func (b *Tab) Clean() {
	b.T.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.problems) > 0 {
		b.T.Errorf("the browser says:\n%s", strings.Join(b.problems, "\n"))
	}
}

// Do runs actions.
func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	if err := chromedp.Do(b.Ctx, actions...); err != nil {
		b.T.Fatal(err)
	}
}

// Eval evaluates an expression in the page, and waits for a promise.
func Eval[T any](b *Tab, expression string) T {
	b.T.Helper()
	result, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.T.Fatalf("%.300s: %v", expression, err)
	}
	return result
}

// Until waits until an expression is true in the page. It is evaluated in each frame.
func (b *Tab) Until(expression string) {
	b.T.Helper()
	ctx, cancel := context.WithTimeout(b.Ctx, time.Minute)
	defer cancel()
	look := chromedp.Evaluate[bool](`new Promise((done) => {
		const look = () => (`+expression+`) ? done(true) : requestAnimationFrame(look);
		look();
	})`, chromedp.EvalAwaitPromise)
	_, err := chromedp.Run(ctx, look)
	for hasLeftPage(err) {
		_, err = chromedp.Run(ctx, look)
	}
	if err != nil {
		b.Clean()
		text, _ := chromedp.Run(b.Ctx, chromedp.Evaluate[string](`document.body.innerText.slice(0, 1500)`))
		b.T.Fatalf("%s: %v\n%s", expression, err, text)
	}
}

// hasLeftPage reports whether an expression waited in a page that the browser has left.
func hasLeftPage(err error) bool {
	var refused *cdproto.Error
	return errors.As(err, &refused) && refused.Code == -32000
}

// Scheme selects the light or dark theme.
func (b *Tab) Scheme(name string) {
	b.T.Helper()
	feature := emulation.MediaFeature{Name: "prefers-color-scheme", Value: name}
	if _, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{&feature}}); err != nil {
		b.T.Fatal(err)
	}
}

// JSON returns a value as a JavaScript expression.
func JSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
