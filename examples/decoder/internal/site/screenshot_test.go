package site_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// scheme selects the light or dark theme.
func (b *tab) scheme(name string) {
	b.t.Helper()
	feature := emulation.MediaFeature{Name: "prefers-color-scheme", Value: name}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{&feature}}); err != nil {
		b.t.Fatal(err)
	}
}

// TestPictures writes the pictures of the README and some more to the directory
// $DECODER_SCREENSHOTS, or to the artifacts of the test. None is wider than the screen.
func TestPictures(t *testing.T) {
	b := browse(t)
	more := t.ArtifactDir()
	dir := more
	if asked := os.Getenv("DECODER_SCREENSHOTS"); asked != "" {
		dir = asked
	}
	answer := read(t, filepath.Join(root, "sqp/testdata/golden/answer_info.hex"))
	for _, picture := range []struct {
		dir, name, scheme string
		width, height     int64
	}{
		{dir, "page-light", "light", 1120, 900},
		{dir, "page-dark", "dark", 1120, 900},
		{more, "tablet-dark", "dark", 768, 900},
		{more, "phone-light", "light", 360, 780},
		{more, "phone-dark", "dark", 360, 780},
	} {
		b.do(chromedp.EmulateViewport(picture.width, picture.height, chromedp.EmulateScale(1.5)))
		b.scheme(picture.scheme)
		b.open("")
		b.typeText(answer.Text)
		eval[bool](b, `(() => { choose(9, false); scrollTo(0, 0); return true; })()`)
		b.until(`scrollY === 0`)
		if over := eval[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s is %d pixels wider than the screen", picture.name, over)
		}
		png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(picture.dir, picture.name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.clean()
}

// typeText puts a text into the field for bytes, as when a user pastes it.
func (b *tab) typeText(text string) {
	b.t.Helper()
	eval[bool](b, `(() => {
		const field = document.getElementById("text");
		field.value = `+encodeJSON(b.t, text)+`;
		field.dispatchEvent(new Event("input"));
		return true;
	})()`)
}
