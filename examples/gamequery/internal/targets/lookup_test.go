package targets

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/dnstest"
)

// Names are looked up a limited number at a time, and yielded in their order.
func TestFeedLooksUpNamesAtOnce(t *testing.T) {
	const late = 100 * time.Millisecond
	var mu sync.Mutex
	asked := map[string]int{} // questions that wait for an answer, by name
	most := 0
	dnstest.Resolve(t, func(name string) []netip.Addr {
		mu.Lock()
		asked[name]++
		most = max(most, len(asked))
		mu.Unlock()
		time.Sleep(late)
		mu.Lock()
		defer mu.Unlock()
		asked[name]--
		if asked[name] == 0 {
			delete(asked, name)
		}
		if strings.HasPrefix(name, "gone") {
			return nil
		}
		return []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}
	})
	synctest.Test(t, func(t *testing.T) {
		const lines, arguments = 3 * maxLookups, 2 * maxLookups
		list := "192.0.2.9:9\n" + strings.Repeat("there.example.:1\ngone.example.:1\n", lines/2)
		sources := []Source{Listed("list", strings.NewReader(list), Ports{})}
		want := []string{"192.0.2.9:9"}
		var wantWrong []string
		for i := range lines / 2 {
			want = append(want, "[2001:db8::1]:1", "192.0.2.1:1")
			wantWrong = append(wantWrong, fmt.Sprintf("list, line %d: lookup gone.example.", 2*i+3))
		}
		for i := range arguments {
			source, err := Argument(fmt.Sprintf("gone%d.example.:1", i), Ports{})
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, source)
			wantWrong = append(wantWrong, fmt.Sprintf("lookup gone%d.example.", i))
		}
		start := time.Now()
		got, wrong := drain(t.Context(), NewFeed(t.Context(), sources...))
		took := time.Since(start)
		for i, text := range wrong {
			wrong[i], _, _ = strings.Cut(text, ". ")
			wrong[i] += "."
		}
		if took > (lines+arguments)/maxLookups*late || most > maxLookups {
			t.Errorf("%d names took %v; up to %d were looked up at once", lines+arguments, took, most)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(wantWrong, wrong); diff != "" {
			t.Errorf("wrong (-want +got):\n%s", diff)
		}
	})
}
