package health

import (
	"fmt"
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A Judge decides what lists have. Its zero value has the zero Rules. All methods
// may be called at any time; they are quick, as masters want them to be.
type Judge struct {
	rules  atomic.Pointer[Rules]
	crowds atomic.Pointer[crowds]
	told   statuses
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
	if all := j.crowds.Load(); all != nil && all.has(f, c) {
		// With their number all would change whenever one comes or goes.
		return fmt.Sprintf("one of more than %d of this name", r.mostOfName())
	}
	return ""
}

// bans reports whether an address is banned.
func (j *Judge) bans(addr netip.Addr) bool {
	_, banned := j.Rules().Banned.Find(addr)
	return banned
}

// setCrowds tells what crowds there are.
func (j *Judge) setCrowds(all crowds) {
	r := j.Rules()
	all.only(r.mostOfName())
	j.crowds.Store(&all)
}
