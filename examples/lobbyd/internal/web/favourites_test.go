package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// Favourites survive a reload and a change of the game's ID, and are shown even while they
// are not listed.
func TestFavouritesSurviveReloads(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	gun, rush, bomb := three()
	unknown := game(catalogue.Warzone, 9, "Unknown", 1)
	unknown.Address = ""
	s.set(gun, rush, bomb, unknown)
	b.open(s.URL)
	b.rows("Rush", "Gun", "Unknown", "Bomb")
	shown := browsertest.Eval[int](b.Tab,
		`[...document.querySelectorAll("tbody .star")].filter((e) => e.checkVisibility()).length`)
	if shown != 3 {
		t.Errorf("%d stars, want 3: a game without an address cannot be recognized", shown)
	}
	star := func(name string) chromedp.Action[chromedp.Void] {
		return chromedp.Click(chromedp.CSS(`tbody [aria-label="Favourite: ` + name + `"]`))
	}
	b.Do(star("Rush"), star("Gun"))
	b.Until(`document.querySelectorAll('[aria-pressed="true"]').length === 2`)

	rush.ID = "warzone-77"
	s.set(rush, bomb)
	b.open(s.URL + "/?favourites=1")
	b.rows("Rush", "Gun")
	got := browsertest.Eval[string](b.Tab, `document.querySelector(".is-away").innerText.replace(/\s+/g, " ")`)
	if got != "Gun 192.0.2.2:2101 – GameAgent – – – – away" {
		t.Errorf("got %q", got)
	}
	b.open(s.URL + "/?favourites=1&q=gu")
	b.rows("Gun")
	b.open(s.URL + "/?favourites=1&players=1")
	b.rows("Rush")

	b.open(s.URL + "/server/warzone-77")
	b.Until(`document.getElementById("star").ariaPressed === "true"`)
	b.Do(chromedp.Click(chromedp.CSS("#star")))
	b.Until(`document.getElementById("star").ariaPressed === "false"`)
	b.open(s.URL + "/?favourites=1")
	b.rows("Gun")
	b.Do(star("Gun"))
	b.rows()
	b.Until(`document.getElementById("empty").innerText.startsWith("No favourites yet")`)

	browsertest.Eval[bool](b.Tab, `localStorage.setItem("favourites", "{ not JSON"), true`)
	b.open(s.URL)
	b.rows("Rush", "Bomb")
	b.Clean()
}

// The address to join is copied.
func TestCopiesTheAddress(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	gun, _, _ := three()
	s.set(gun)
	b.open(s.URL + "/server/gameagent-1")
	browsertest.Eval[bool](b.Tab,
		`Object.defineProperty(navigator, "clipboard",
			{ value: { writeText: async (text) => { window.copied = text; } } }), true`)
	b.Do(chromedp.Click(chromedp.CSS("#copy")))
	b.Until(`document.getElementById("copy").textContent === "Copied"`)
	if got := browsertest.Eval[string](b.Tab, `copied`); got != gun.Address {
		t.Errorf("copied %q", got)
	}
	b.Clean()
}
