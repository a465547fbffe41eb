package health

import (
	"context"
	"net/http"
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// A Judge decides which servers are listed. Its zero value has the zero Rules. All
// methods may be called at any time; they are fast, as masters require.
type Judge struct {
	rules   atomic.Pointer[Rules]
	spreads atomic.Pointer[map[crowd]*spread]
	texts   atomic.Pointer[map[string]func([]byte) string]
}

// SetTexts sets the decoders of texts that are not UTF-8, by the name of the game in the
// protocol. Texts of other games are Windows-1252. The map must not be changed afterwards.
func (j *Judge) SetTexts(of map[string]func([]byte) string) { j.texts.Store(&of) }

// textOf returns the decoder for texts of a game, nil for Windows-1252.
func (j *Judge) textOf(game string) func([]byte) string {
	if of := j.texts.Load(); of != nil {
		return (*of)[game]
	}
	return nil
}

// SetRules replaces the rules. A Watcher applies them to listed servers when it next
// looks.
func (j *Judge) SetRules(r Rules) { j.rules.Store(&r) }

// Rules returns the rules.
func (j *Judge) Rules() Rules {
	if r := j.rules.Load(); r != nil {
		return *r
	}
	return Rules{}
}

// AdmitGameAgent is for the field Admit of a Master.
func (j *Judge) AdmitGameAgent(e gamespy1net.Entry) bool {
	return j.fault(catalogue.GameAgent, j.gameagentClaim(e)) == (fault{})
}

// AdmitGameSpy is for the field Admit of a Master.
func (j *Judge) AdmitGameSpy(e gamespy2net.Entry) bool {
	return j.fault(catalogue.GameSpy, j.gameSpyClaim(e)) == (fault{})
}

// AdmitBomberman is for the field Admit of a ManagementServer.
func (j *Judge) AdmitBomberman(e bombermannet.Entry) bool {
	return j.fault(catalogue.Bomberman, bombermanClaim(e)) == (fault{})
}

// AdmitWarzone is for the field Admit of Games.
func (j *Judge) AdmitWarzone(e warzonegames.Entry) bool {
	return j.fault(catalogue.Warzone, warzoneClaim(e)) == (fault{})
}

func (j *Judge) fault(f catalogue.Family, c claim) fault {
	r := j.Rules()
	if known := r.fault(c); known != (fault{}) {
		return known
	}
	all := j.spreads.Load()
	if all == nil {
		return fault{}
	}
	return (*all)[crowdOf(f, c.plain())].fault(c)
}

// AdmitJoin is for the field AdmitJoin of an HTTPLobby. It refuses players with banned
// addresses, whose requests a proxy may have forwarded.
func (j *Judge) AdmitJoin(_ context.Context, a wzhttpnet.JoinAttempt) *wzhttpnet.Error {
	if j.bans(a.From) {
		return &wzhttpnet.Error{Status: http.StatusForbidden, Code: "BANNED", Message: "Your address is banned."}
	}
	return nil
}

// bans reports whether an address is banned.
func (j *Judge) bans(addr netip.Addr) bool {
	_, banned := j.Rules().Banned.Find(addr)
	return banned
}

// setCrowds replaces the crowds of the last call by all.
func (j *Judge) setCrowds(all crowds) {
	r := j.Rules()
	before := j.spreads.Load()
	if before == nil {
		before = &map[crowd]*spread{}
	}
	spreads := all.respread(*before, r.mostOfName())
	j.spreads.Store(&spreads)
}
