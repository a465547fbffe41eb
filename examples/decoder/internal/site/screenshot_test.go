package site_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
)

// TestPicturesFitTheScreen writes the pictures of the README and some more to the directory
// $DECODER_SCREENSHOTS, or to the artifacts of the test. None is wider than the screen.
func TestPicturesFitTheScreen(t *testing.T) {
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
		b.Do(chromedp.EmulateViewport(picture.width, picture.height, chromedp.EmulateScale(1.5)))
		b.Scheme(picture.scheme)
		b.open("")
		b.typeText(answer.Text)
		browsertest.Eval[bool](b.Tab, `(() => { choose(9, false); scrollTo(0, 0); return true; })()`)
		b.Until(`scrollY === 0`)
		if over := browsertest.Eval[int](b.Tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s is %d pixels wider than the screen", picture.name, over)
		}
		png, err := chromedp.Run(b.Ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(picture.dir, picture.name+".png"), png, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.Clean()
}

// typeText puts a text into the field for bytes, as when a user pastes it, and waits until the page
// has read it.
func (b tab) typeText(text string) {
	b.T.Helper()
	browsertest.Eval[bool](b.Tab, `(() => {
		const field = document.getElementById("text");
		field.value = `+browsertest.JSON(b.T, text)+`;
		field.dispatchEvent(new Event("input"));
		return true;
	})()`)
	b.Until(idle)
}
