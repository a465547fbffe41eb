package main

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
)

// A look returns what a player sees, as JSON: servers that answer, or a list.
type look func(ctx context.Context) string

// answered looks at servers that answer queries.
func answered(scanner lobbywire.Scanner, addrs ...string) look {
	var targets []netip.AddrPort
	for _, addr := range addrs {
		targets = append(targets, netip.MustParseAddrPort(addr))
	}
	return func(ctx context.Context) string {
		var views []lobbywire.View
		for r := range scanner.ScanViews(ctx, slices.Values(targets)) {
			if r.Err == nil {
				views = append(views, r.View)
			}
		}
		return text(views)
	}
}

// listed looks at the games in a list.
func listed(lister lobbywire.Lister, master string) look {
	return func(ctx context.Context) string {
		list := lister.ListViews(ctx, master)
		if list.Err != nil {
			return list.Err.Error()
		}
		var views []lobbywire.View
		for _, s := range list.Servers {
			views = append(views, s.View)
		}
		return text(views)
	}
}

func text(views []lobbywire.View) string {
	b, err := json.Marshal(views)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// eventually looks until it sees all of want and none of unwanted.
func eventually(t *testing.T, look look, want, unwanted []string) {
	t.Helper()
	missing := ""
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		seen := look(t.Context())
		missing = ""
		for _, w := range want {
			if !strings.Contains(seen, w) {
				missing += " lacks " + w
			}
		}
		for _, u := range unwanted {
			if strings.Contains(seen, u) {
				missing += " has " + u
			}
		}
		if missing == "" {
			return
		}
		missing = seen + missing
	}
	t.Fatal(missing)
}
