package wzhttpnet

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// check starts a check of an address of a game. It returns false if too many checks are
// running.
func (l *Lobby) check(e *warzonegames.Entry, a gamelist.AnnouncedAddress) (ok bool) {
	id, session := e.ID, e.HTTP.Session
	return l.checks.start(checked{id, a.Kind}, a.At.Addr(),
		func(ctx context.Context) error {
			l.refusals.Report(lobbywire.Refusal{From: a.At, Reason: lobbywire.ReasonQuery})
			return l.probe(ctx, id, session, a.At)
		},
		func(err error) { l.record(id, session, a, err) })
}

// checkAgain checks the addresses of a game whose checks were not finished by another node,
// or by this one before a restart.
func (l *Lobby) checkAgain(e *warzonegames.Entry) {
	for _, a := range e.HTTP.Announced {
		if a.Status == wzhttp.ValidationSubmitted && !l.checks.mayRun(checked{e.ID, a.Kind}) {
			l.check(e, a) // or with the next request
		}
	}
}

// record records the outcome of a check.
func (l *Lobby) record(id uint32, session uint64, a gamelist.AnnouncedAddress, err error) {
	a.Status = wzhttp.ValidationValidated
	if err != nil {
		a.Status = wzhttp.ValidationError
	}
	change := l.games.ForLobbies().Adopt
	if e, _ := l.games.FindID(id); err != nil && e.Published() {
		change = l.games.Update // the game may belong to another node by now
	}
	replaced := false
	change(id, func(e *warzonegames.Entry) {
		i := slices.IndexFunc(e.HTTP.Announced, func(b gamelist.AnnouncedAddress) bool {
			return b.Kind == a.Kind && b.At == a.At
		})
		replaced = i < 0 || e.HTTP.Session != session
		if replaced {
			return // by another address
		}
		e.HTTP.Announced = slices.Clone(e.HTTP.Announced)
		e.HTTP.Announced[i] = a
		if err == nil && e.Published() && e.Key.Addr().Is4() != a.At.Addr().Is4() {
			e.Second = a.At
		}
	})
	if err != nil && !replaced {
		l.noteRefusal(a.At, refusal.Unreachable(err))
	}
}

// probe connects to an address of a game and checks that the host answers there.
func (l *Lobby) probe(ctx context.Context, id uint32, session uint64, addr netip.AddrPort) error {
	challenge := make([]byte, 16)
	rand.Read(challenge) // cannot fail
	probe, err := wzhttp.Probe{
		LobbyToken: l.tokens.lobbyToken(id, session),
		Challenge:  hex.EncodeToString(challenge),
	}.AppendBinary(nil)
	if err != nil {
		return err
	}
	r := stream.Requests{Timeout: checkTimeout, Dial: l.Dial, MaxFrame: announce.MaxProbe}
	return r.Check(ctx, addr.String(), probe,
		serving.Reply(wzhttp.ParseProbeReply, func(m wzhttp.ProbeReply) bool {
			return m.GameID == gameIDOf(id)
		}))
}

// checker returns the Checker of games, except those that a Lobby with NoVerify has listed.
// One of a game's addresses must answer.
func (l *Lobby) checker() gamelist.Checker[warzonegames.Entry] {
	c := gamelist.Checker[warzonegames.Entry]{
		Has: func(e *warzonegames.Entry) bool { return e.Source == warzonegames.SourceHTTP && e.Verified },
		Check: func(ctx context.Context, e warzonegames.Entry) (err error) {
			for _, addr := range listedAt(&e) {
				if err = l.probe(ctx, e.ID, e.HTTP.Session, addr); err == nil {
					return nil
				}
			}
			return err
		},
	}
	return serving.Checker(c, l.NoVerify, &l.refusals, l.noteRefusal)
}
