package web_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/browsertest"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// names is an expression for the names in the rows, in order.
const names = `[...document.querySelectorAll("tbody .c-name a")].map((a) => a.textContent)`

// rows waits until the table contains exactly the wanted rows, in this order.
func (b tab) rows(want ...string) {
	b.T.Helper()
	b.Until(fmt.Sprintf(`JSON.stringify(%s) === JSON.stringify(%s)`, names,
		browsertest.JSON(b.T, append([]string{}, want...))))
}

func three() (gun, rush, bomb catalogue.Entry) {
	return game(catalogue.GameAgent, 1, "Gun", 3), game(catalogue.Warzone, 2, "Rush", 5), game(catalogue.Bomberman, 3,
		"Bomb", 0)
}

func TestPageIsLive(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	gun, rush, bomb := three()
	s.set(gun, bomb)
	b.open(s.URL)
	b.rows("Gun", "Bomb")

	s.set(gun, bomb, rush)
	b.rows("Rush", "Gun", "Bomb")
	b.Do(chromedp.Focus(chromedp.CSS(`a[href="/server/bomberman-3"]`)))
	bomb.Players, bomb.Map = 7, "Corners"
	s.set(gun, bomb, rush)
	b.rows("Bomb", "Rush", "Gun")
	got := browsertest.Eval[string](b.Tab, `document.querySelector("tbody tr").innerText.replace(/\s+/g, " ")`)
	if got != "Bomb 192.0.2.4:2103 – Bomberman Corners 7 / 8 – 1 h reachable verified" {
		t.Errorf("got %q", got)
	}
	if got := browsertest.Eval[string](b.Tab, `document.activeElement.textContent`); got != "Bomb" {
		t.Errorf("the focus is on %q after its row has moved", got)
	}
	s.set(bomb)
	b.rows("Bomb")
	b.Until(`document.querySelector("#tile-players strong").textContent === "7"`)
	s.set()
	b.rows()
	b.Until(`document.getElementById("empty").innerText.startsWith("No games are open")`)
	b.Clean()
}

func TestPageSearchesSortsAndFilters(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	gun, rush, bomb := three()
	gun.Game, gun.Map, gun.Reach, gun.Since = "serioussamse", "Karnak", catalogue.Unreachable, gun.Since.Add(-time.Hour)
	rush.Verified, rush.Quarantine = false, "too good"
	bomb.Version = "1.0-rc"
	s.set(gun, rush, bomb)
	b.open(s.URL)
	b.rows("Gun", "Bomb")

	search := chromedp.CSS(`input[name="q"]`)
	b.Do(chromedp.SendKeys(search, "kaRn"))
	b.rows("Gun")
	b.Until(`document.getElementById("found").textContent === "1 game, 3 players"`)
	b.Do(chromedp.SendKeys(search, "x"))
	b.rows()
	if got := browsertest.Eval[string](b.Tab, `location.search`); got != "?q=kaRnx" {
		t.Errorf("the address is %q", got)
	}
	b.Do(chromedp.KeyEvent(kb.Escape), chromedp.SendKeys(search, "1.0-r"))
	b.rows("Bomb")
	b.Do(chromedp.KeyEvent(kb.Escape), chromedp.Click(chromedp.CSS(`input[name="quarantined"]`)))
	b.rows("Rush", "Gun", "Bomb")

	const sorted = `[...document.querySelectorAll("th[aria-sort]")].map((th) => th.textContent + " " + th.ariaSort).join()`
	for _, step := range []struct {
		column, sorted string
		want           []string
	}{
		{"name", "Name ascending", []string{"Bomb", "Gun", "Rush"}},
		{"name", "Name descending", []string{"Rush", "Gun", "Bomb"}},
		{"players", "Players descending", []string{"Rush", "Gun", "Bomb"}},
		{"players", "Players ascending", []string{"Bomb", "Gun", "Rush"}},
		{"health", "Health descending", []string{"Bomb", "Gun", "Rush"}},
		{"age", "Age ascending", []string{"Bomb", "Rush", "Gun"}},
		{"map", "Map ascending", []string{"Bomb", "Rush", "Gun"}},
		{"game", "Game ascending", []string{"Bomb", "Rush", "Gun"}},
		{"family", "Protocol ascending", []string{"Bomb", "Gun", "Rush"}},
		{"version", "Version ascending", []string{"Gun", "Rush", "Bomb"}},
	} {
		b.Do(chromedp.Click(chromedp.CSS(`[data-sort="` + step.column + `"]`)))
		if got := browsertest.Eval[string](b.Tab, sorted); got != step.sorted {
			t.Errorf("sorted by %q, want %q", got, step.sorted)
		}
		if diff := cmp.Diff(step.want, browsertest.Eval[[]string](b.Tab, names)); diff != "" {
			t.Errorf("by %s:\n%s", step.sorted, diff)
		}
	}

	b.open(s.URL + "/?family=bomberman&sort=-name&health=verified")
	b.rows("Bomb")
	b.open(s.URL + "/?game=serioussamse")
	b.rows("Gun")
	b.open(s.URL + "/?game=another")
	b.rows()
	b.open(s.URL + "/?players=1&health=unreachable")
	b.rows("Gun")
	b.Clean()
}

// The graphs follow the chosen range of time and game, without loading the page again.
func TestGraphsFollowTheChosenRange(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	all := evening(60)
	s.day(all)
	ours := 0
	for _, e := range all {
		if e.Game == "serioussamse" && e.Quarantine == "" {
			ours++
		}
	}
	b.open(s.URL + "/?sort=name")
	label := func(want string) {
		t.Helper()
		b.Until(`document.querySelector("#tile-servers svg").ariaLabel === ` + browsertest.JSON(t, want))
	}
	label("Games over the last day: at most 59, now 59")
	browsertest.Eval[bool](b.Tab, `window.stays = true`)
	b.Do(chromedp.Click(chromedp.CSS(`[data-range="week"]`)))
	label("Games over the last week: at most 59, now 59")
	browsertest.Eval[bool](b.Tab, `(() => {
		const field = document.querySelector('[name="game"]');
		field.value = "serioussamse";
		return field.dispatchEvent(new Event("input", { bubbles: true }));
	})()`)
	label(fmt.Sprintf("Games over the last week: at most %[1]d, now %[1]d", ours))
	const other = `document.querySelector('[data-range="month"]').search`
	want := []string{"?game=serioussamse&sort=name&range=week", "?game=serioussamse&sort=name&range=month", "7 days ago"}
	got := browsertest.Eval[[]string](b.Tab, `[location.search, `+other+
		`, document.querySelector(".axis span").textContent]`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if !browsertest.Eval[bool](b.Tab, `window.stays`) {
		t.Error("the page was loaded again")
	}
	b.Clean()
}

// The page works with the keyboard alone.
func TestPageWorksByKeyboard(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	gun, rush, bomb := three()
	s.set(gun, rush, bomb)
	b.open(s.URL)
	b.rows("Rush", "Gun", "Bomb")
	focus := func(want string) {
		t.Helper()
		got := browsertest.Eval[string](b.Tab, `document.activeElement.name || document.activeElement.textContent`)
		if got != want {
			t.Errorf("the focus is on %q, want %q", got, want)
		}
	}
	press := func(keys ...string) {
		t.Helper()
		for _, key := range keys {
			if key == "/" { // for these, chromedp would send the character even if the page has handled the key
				down := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: key, Text: key}
				if _, err := chromedp.Call(b.Ctx, input.DispatchKeyEvent, down); err != nil {
					t.Fatal(err)
				}
				continue
			}
			b.Do(chromedp.KeyEvent(key))
		}
	}
	press(kb.Tab)
	focus("Skip to the games")
	press("/")
	focus("q")
	press(kb.ArrowDown)
	focus("Rush")
	press(kb.ArrowDown, kb.ArrowDown)
	focus("Bomb")
	press(kb.ArrowUp)
	focus("Gun")
	press("/", kb.Tab)
	focus("family")
	press(kb.Tab, kb.Tab, kb.Tab)
	focus("players")
	press(" ")
	b.rows("Rush", "Gun")
	press(kb.Tab)
	focus("favourites")
	press(kb.Tab, kb.Tab)
	focus("Name")
	press(kb.Enter)
	b.rows("Gun", "Rush")
	if unnamed := browsertest.Eval[[]string](b.Tab,
		`[...document.querySelectorAll("input, select, button, a, svg, nav, table")].
		filter((e) => !e.closest("[aria-hidden]")).
		filter((e) => !(e.labels?.[0] ?? e.caption ?? e).textContent.trim() && !e.ariaLabel).
		map((e) => e.outerHTML)`); len(unnamed) > 0 {
		t.Errorf("without a name: %q", unnamed)
	}
	press("/", kb.ArrowDown, kb.Enter)
	b.Until(`document.querySelector("h1")?.textContent === "Gun"`)
	b.Clean()
}

// Text from a server is never interpreted as HTML.
func TestNamesAreNeverHTML(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	const script = `<script>alert(1)</script><img src=x onerror=alert(2)>"'</title>{{.}}`
	e := game(catalogue.Warzone, 1, script, 3)
	e.Map, e.Mode, e.Version, e.Node, e.Address, e.Quarantine = script, script, script, script, script, script
	e.Fields = []catalogue.Field{{Name: script, Value: script}}
	s.set(e)
	b.open(s.URL + "/?quarantined=1")
	b.rows(script)
	for _, way := range []string{"served", "changed"} {
		b.open(s.URL + "/server/warzone-1")
		if way == "changed" {
			e.Name += "!"
			e.Fields = []catalogue.Field{{Name: script + "!", Value: script + "!"}}
			s.set(e)
		}
		b.Until(`document.querySelector("h1").textContent === ` + browsertest.JSON(t, e.Name))
		b.Until(`document.querySelector("#fields tbody td").textContent === ` + browsertest.JSON(t, e.Fields[0].Value))
		b.Until(`document.querySelector('[data-fact="map"]').textContent === ` + browsertest.JSON(t, e.Map))
	}
	if made := browsertest.Eval[int](b.Tab, `document.querySelectorAll("main script, main img").length`); made != 0 {
		t.Errorf("%d elements are made of text", made)
	}
	b.Clean()

	// Even if the page had such a bug, the policy would prevent it: this must fail.
	refused := browsertest.Eval[bool](b.Tab,
		`(() => { try { document.body.innerHTML = "<b>"; return false } catch { return true } })()`)
	if !refused {
		t.Error("a page may make elements of text")
	}
}

func TestServerPageIsLive(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	gun, rush, _ := three()
	s.set(gun, rush)
	b.open(s.URL + "/server/gameagent-1")
	b.Until(`document.querySelector('[data-fact="players"]').textContent === "3 of 8"`)
	gun.Players, gun.Fields = 4, append(gun.Fields, catalogue.Field{Name: "motd", Value: "hello"})
	s.set(gun, rush)
	b.Until(`document.querySelector('[data-fact="players"]').textContent === "4 of 8"`)
	b.Until(`document.querySelector("#fields tbody").rows[2]?.textContent === "motdhello"`)
	s.set(rush)
	b.Until(`!document.getElementById("left").hidden`)
	b.Clean()
}

// A page that was opened in the background opens exactly one stream when it becomes
// visible.
func TestPageOpensOneStream(t *testing.T) {
	b := browse(t)
	b.open(show(t, nil).URL)
	open := browsertest.Eval[int](b.Tab, `(() => {
		const opened = [];
		const { EventSource } = window;
		window.EventSource = class extends EventSource {
			constructor(url) { super(url); opened.push(this); }
		};
		for (const _ of [1, 2, 3]) document.dispatchEvent(new Event("visibilitychange"));
		return opened.filter((source) => source.readyState !== EventSource.CLOSED).length;
	})()`)
	if open != 1 {
		t.Errorf("%d streams are open", open)
	}
	b.Clean()
}

func TestPageShowsThatItIsCutOff(t *testing.T) {
	b := browse(t)
	states := make(chan web.State, 1)
	last := web.State{Node: "oslo", Nodes: []string{"oslo", "riga"}}
	s := show(t, func(s *web.Server) {
		s.State = func() web.State {
			select {
			case last = <-states:
			default:
			}
			return last
		}
	})
	b.open(s.URL)
	b.Until(`document.getElementById("node").textContent === "node oslo"`)
	if !browsertest.Eval[bool](b.Tab, `document.getElementById("cut-off").hidden`) {
		t.Error("it says it is cut off")
	}
	states <- web.State{Node: "oslo", Nodes: []string{"oslo"}, CutOff: time.Now()}
	b.Until(`document.getElementById("cut-off").innerText.includes("lost its connection to the others")`)
	states <- web.State{Node: "oslo", Nodes: []string{"oslo", "riga"}}
	b.Until(`document.getElementById("cut-off").hidden`)
	b.Clean()

	if err := s.web.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	b.Until(`document.getElementById("link").textContent === "Reconnecting"`)
}

// TestPageStaysResponsiveWithManyRows shows ten thousand games, and changes hundreds of them each second. A search
// takes at most 25 times as long as sorting 20 000 numbers, so the page stays responsive.
func TestPageStaysResponsiveWithManyRows(t *testing.T) {
	b := browse(t)
	s := show(t, nil)
	all := evening(10_000)
	s.set(all...)
	b.open(s.URL)
	b.Until(`document.querySelectorAll("tbody tr").length === 100`)
	for round := range 10 {
		for i := range 300 {
			all[(round*331+i*17)%len(all)].Players = (round + i) % 5
		}
		all[0].Players = 100 + round
		s.set(all...)
		b.Until(fmt.Sprintf(`document.querySelector("tbody .c-players span").textContent === "%d / 10"`, 100+round))
	}
	const search = `((name) => {
		const search = document.querySelector('[name="q"]');
		search.value = name;
		search.dispatchEvent(new Event("input", { bubbles: true }));
		document.body.offsetHeight;
	})`
	const sort = `(() => Array.from({ length: 20_000 }, Math.random).sort((a, b) => a - b))`
	took := browsertest.Eval[[]float64](b.Tab,
		`[0, 1].map((i) => Math.min(...["harbour", "bridge", "harbour"].map((name) => {
		const before = performance.now();
		i === 0 ? `+search+`(name) : `+sort+`();
		return performance.now() - before;
	})))`)
	t.Logf("a search of 10 000 games took %.0f ms, sorting 20 000 numbers %.0f ms", took[0], took[1])
	if took[0] > 25*took[1] {
		t.Error("the page stands still")
	}
	b.Clean()
}
