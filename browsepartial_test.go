package lobbywire_test

import (
	"context"
	"iter"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
)

// cut is a scan with answers that lack parts.
type cut struct{ scripted }

func (s cut) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return func(yield func(lobbywire.ScanResult) bool) {
		for r := range s.scripted.ScanViews(ctx, targets) {
			r.Partial = r.Err == nil
			if !yield(r) {
				return
			}
		}
	}
}

// A server of whose answer the part with its port is lost stays where its list says. So somebody who
// claims this place is Contested, as beside a whole answer.
func TestPartialAnswersKeepTheListedAddress(t *testing.T) {
	const query, place = "192.0.2.1:29900", "192.0.2.1:16567"
	views := func(v lobbywire.View) scripted {
		return scripted{"gamespy2", "", time.Second, map[string]lobbywire.View{query: v}}
	}
	for _, tt := range []struct {
		name      string
		scanner   lobbywire.Scanner
		join      string // of the honest server
		contested bool
	}{
		{"a part without the port", cut{views(lobbywire.View{Name: "Honest"})}, place, true},
		{"a part with the port", cut{views(lobbywire.View{Name: "Honest", Port: 16567})}, place, true},
		{"a part with another port", cut{views(lobbywire.View{Name: "Honest", Port: 1})}, "192.0.2.1:1", false},
		{"a whole answer without a port", views(lobbywire.View{Name: "Honest"}), "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			rows := map[string]lobbywire.Row{}
			b := lobbywire.Browser{Sources: []lobbywire.Source{
				{List: listOf(0, "gamespy2", "m", queried(query, claim("Honest", place))), Scanner: tt.scanner},
				{List: listOf(2*time.Second, "bomberman", "evil", claim("Evil", place))},
			}}
			for row := range b.Browse(t.Context()) {
				rows[row.View.Name] = row
			}
			honest, evil := rows["Honest"], rows["Evil"]
			if honest.Join != tt.join || honest.Contested != tt.contested || evil.Contested != tt.contested {
				t.Errorf("%s: the honest server is at %q, contested: %v; the other is contested: %v", tt.name, honest.Join,
					honest.Contested, evil.Contested)
			}
		})
	}
}

// Of two forms of a protocol that a server answers, the first is shown, and an address that its list
// may not name does not hide an answer.
func TestBrowseShowsTheFirstAnswer(t *testing.T) {
	const query = "10.0.0.1:7777"
	form := func(form string, after time.Duration) lobbywire.Source {
		answers := map[string]lobbywire.View{query: {Name: form, Port: 7777}}
		return lobbywire.Source{Scanner: scripted{"gameagent", form, after, answers}, Targets: targetsOf(query)}
	}
	private := lobbywire.Source{
		List:    listOf(3*time.Second, "gameagent", "m", queried(query, claim("Listed", query))),
		Scanner: scripted{protocol: "gameagent"},
	}
	synctest.Test(t, func(t *testing.T) {
		last := lobbywire.Row{}
		b := lobbywire.Browser{Sources: []lobbywire.Source{form("first", time.Second),
			form("second", 2*time.Second), private}}
		for row := range b.Browse(t.Context()) {
			last = row
		}
		if last.Number != 1 || last.View.Name != "first" || last.Err != nil || len(last.Seen) != 3 {
			t.Errorf("%+v", last)
		}
	})
}
