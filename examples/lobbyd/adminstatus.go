package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// A status is the answer of the action status.
type status struct {
	Phase   string     `json:"phase"`
	Version string     `json:"version"`
	Started time.Time  `json:"started"`
	Log     slog.Level `json:"log"`
	Bans    int        `json:"bans"`

	Lists        map[catalogue.Family]listCounts `json:"lists"`
	Listening    map[string][]string             `json:"listening,omitempty"` // addresses of servers that run
	Data         *dataStatus                     `json:"data,omitempty"`
	Certificates map[string]time.Time            `json:"certificates,omitempty"` // when they expire; zero if missing
	Unread       string                          `json:"unread,omitempty"`       // why the files of a newer certificate cannot be read
	Cluster      *cluster.State                  `json:"cluster,omitempty"`
}

// A listCounts holds the numbers of servers of a family.
type listCounts struct {
	Listed  int `json:"listed"`
	Hidden  int `json:"hidden"`
	Players int `json:"players"` // of listed ones, as far as they are known
}

// A dataStatus is the state of the data directory.
type dataStatus struct {
	Path  string `json:"path"`
	Saved bool   `json:"saved"` // the last changes of the lists and of bans
}

func (f *fronts) status() status {
	s := status{Phase: f.ready.get().String(), Version: cli.Version(), Started: f.started, Log: f.level.Level(),
		Bans: len(f.rules.list()), Lists: countLists(f.lists.catalogue.Snapshot().Entries)}
	if isClosed(f.lists.filled) { // after which these do not change
		s.Listening = make(map[string][]string)
		for _, one := range slices.Concat(f.servers, f.lists.servers) {
			for _, at := range one.sockets {
				s.Listening[one.name] = append(s.Listening[one.name], at.addr().String())
			}
		}
		s.Certificates = f.lists.certificates.Expiries()
		if err := f.lists.certificates.Unread(); err != nil {
			s.Unread = err.Error()
		}
	}
	if f.lists.saved != nil {
		s.Data = &dataStatus{Path: f.lists.data.Path(""), Saved: f.lists.saved.Stats().OK}
	}
	if node := f.lists.node.Load(); node != nil {
		state := node.State()
		s.Cluster = &state
	}
	return s
}

func countLists(entries []*catalogue.Entry) map[catalogue.Family]listCounts {
	all := make(map[catalogue.Family]listCounts)
	for _, f := range catalogue.Families() {
		all[f] = listCounts{}
	}
	for _, e := range entries {
		n := all[e.Family]
		if e.Quarantine == "" {
			n.Listed++
			n.Players += max(e.Players, 0)
		} else {
			n.Hidden++
		}
		all[e.Family] = n
	}
	return all
}

// printStatus prints a status for people.
func printStatus(cmd *cobra.Command, b []byte) error {
	var s status
	if err := json.Unmarshal(b, &s); err != nil || s.Phase == "" {
		return errNotLobbyd
	}
	out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	line := func(label, format string, a ...any) {
		fmt.Fprintf(out, "%s\t%s\n", label, web.Visible(fmt.Sprintf(format, a...)))
	}
	line("lobbyd", "%s, for %v", s.Phase, time.Since(s.Started).Round(time.Second))
	line("version", "%s", s.Version)
	for _, f := range slices.Sorted(maps.Keys(s.Lists)) {
		n := s.Lists[f]
		line(string(f), "%d listed, %d hidden, %d players", n.Listed, n.Hidden, n.Players)
	}
	line("bans", "%d", s.Bans)
	line("log", "%s", strings.ToLower(s.Log.String()))
	switch {
	case s.Data == nil:
		line("data", "none: a restart loses all servers and games")
	case s.Data.Saved:
		line("data", "%s, saved", s.Data.Path)
	default:
		line("data", "%s, NOT SAVED: the log has the reason", s.Data.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Certificates)) {
		line("certificate", "%s, %s", name, validity(s.Certificates[name], time.Now()))
	}
	if s.Unread != "" {
		line("certificate", "NEW ONE NOT READ, the old one is served: %s", s.Unread)
	}
	if c := s.Cluster; c != nil {
		state := "connected"
		if !c.Connected {
			state = "CUT OFF"
		}
		line("cluster", "%s since %s, node %s of %s, %d entries, %d to share", state, clock(c.Since), c.Node,
			cmp.Or(strings.Join(c.Nodes, ", "), c.Node), c.Entries, c.Queued)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Listening)) {
		line("-"+flagOf(name), "%s", strings.Join(s.Listening[name], ", "))
	}
	return out.Flush()
}

// validity describes how long a certificate is valid.
func validity(expires, now time.Time) string {
	switch {
	case expires.IsZero():
		return "MISSING: the log has the reason"
	case now.After(expires):
		return "EXPIRED " + clock(expires)
	}
	return "valid until " + clock(expires)
}
