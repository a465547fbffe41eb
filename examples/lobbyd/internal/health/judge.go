package health

import (
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A Judge decides what lists have. Its zero value has the zero Rules. All methods
// may be called at any time; they are quick, as masters want them to be.
type Judge struct {
	rules   atomic.Pointer[Rules]
	crowded atomic.Pointer[map[crowd]int]
	told    statuses
}

// A crowd is the servers of a family that have the same name.
type crowd struct {
	family catalogue.Family
	name   string
}

// crowdOf returns the crowd of a name. Upper and lower case and spaces around it
// make no other name.
func crowdOf(f catalogue.Family, name string) crowd {
	return crowd{f, strings.ToLower(strings.TrimSpace(name))}
}

// SetRules changes the rules. A Watcher applies them to what there is when it
// looks next.
func (j *Judge) SetRules(r Rules) { j.rules.Store(&r) }

// Rules returns the rules.
func (j *Judge) Rules() Rules {
	if r := j.rules.Load(); r != nil {
		return *r
	}
	return Rules{}
}

// AdmitGameAgent is the Admit of a Master.
func (j *Judge) AdmitGameAgent(e gameagentnet.Entry) bool {
	return j.fault(catalogue.GameAgent, j.gameagentClaim(e)) == ""
}

// AdmitBomberman is the Admit of a ManagementServer.
func (j *Judge) AdmitBomberman(e bombermannet.Entry) bool {
	return j.fault(catalogue.Bomberman, bombermanClaim(e)) == ""
}

// AdmitWarzone is the Admit of Games.
func (j *Judge) AdmitWarzone(e warzonenet.Entry) bool {
	return j.fault(catalogue.Warzone, warzoneClaim(e)) == ""
}

func (j *Judge) fault(f catalogue.Family, c claim) string {
	r := j.Rules()
	if fault := r.fault(c); fault != "" {
		return fault
	}
	if crowded := j.crowded.Load(); crowded != nil && c.name != "" {
		if (*crowded)[crowdOf(f, c.name)] > 0 {
			// With their number all would change whenever one comes or goes.
			return fmt.Sprintf("one of more than %d of this name", r.mostOfName())
		}
	}
	return ""
}

// bans reports whether an address is banned.
func (j *Judge) bans(addr netip.Addr) bool {
	_, banned := j.Rules().Banned.Find(addr)
	return banned
}

// count looks for crowds among what there is.
func (j *Judge) count(names map[crowd]int) {
	r := j.Rules()
	most := r.mostOfName()
	for c, n := range names {
		if n <= most || c.name == "" {
			delete(names, c)
		}
	}
	j.crowded.Store(&names)
}
