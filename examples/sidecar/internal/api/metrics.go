package api

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/registrations"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/servers"
)

// getMetrics answers with the metrics in the text format of Prometheus. There are few
// metrics, which do not justify the client library of Prometheus, with 5 MB in the
// program.
func (s *Server) getMetrics(w http.ResponseWriter, _ *http.Request) {
	status, now := s.Status(), s.State.Now()
	var b bytes.Buffer
	head := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP sidecar_%[1]s %[3]s\n# TYPE sidecar_%[1]s %[2]s\n", name, kind, help)
	}
	one := func(name, kind, help string, value any) {
		head(name, kind, help)
		fmt.Fprintf(&b, "sidecar_%s %v\n", name, value)
	}
	fresh := 0
	if status.State.Health == Fresh {
		fresh = 1
	}
	players, places := now.View.Counts()
	one("state_fresh", "gauge", "1 while the game reports its state, otherwise 0.", fresh)
	one("state_changes_total", "counter", "Reports that differed from the one before.", status.State.Changes)
	one("state_refused_total", "counter", "Reports with an error.", status.State.Refused)
	one("players", "gauge", "Players on the server.", players)
	one("players_max", "gauge", "Maximum number of players.", places)

	each := func(name, kind, help string, value func(p servers.Status) any) {
		head(name, kind, help)
		for _, p := range status.Protocols {
			fmt.Fprintf(&b, "sidecar_%s{protocol=%q} %v\n", name, p.Protocol, value(p))
		}
	}
	each("queries_total", "counter", "Queries received.", func(p servers.Status) any { return p.Queries })
	each("answers_total", "counter", "Datagrams sent.", func(p servers.Status) any { return p.Answers })
	each("failed_total", "counter", "Datagrams that the system refused to send.",
		func(p servers.Status) any { return p.Failed })
	each("changed", "gauge", "Members of the state that the protocol cannot carry as they are, up to 32.",
		func(p servers.Status) any { return len(p.Changed) })
	head("listed", "gauge", "1 if the master lists the game, as far as its protocol tells, otherwise 0.")
	writeListed(&b, status.Masters)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(b.Bytes())
}

// escaped replaces characters in the value of a label by escapes.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// writeListed writes one value for each registration.
func writeListed(b *bytes.Buffer, all []registrations.Status) {
	for _, m := range all {
		listed := 0
		if m.Standing == lobbywire.StandingListed.String() {
			listed = 1
		}
		fmt.Fprintf(b, "sidecar_listed{protocol=\"%s\",master=\"%s\",standing=\"%s\"} %d\n",
			m.Protocol, escaped.Replace(m.Master), m.Standing, listed)
	}
}
