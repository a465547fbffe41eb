package bomberman

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Server is an entry of the list of a management server:
//
//	{"name":...,"address":...,"port":...,
//	 "players":{"current":...,"max":...},"isLobbyOpen":...,"gameplayMode":...}
type Server struct {
	Name         string // any text but ""
	Address      string // where clients connect to: IPv4, IPv6 or a host name
	Port         int    // of the game server: 1 to 65535 without Port
	Players      PlayerCount
	IsLobbyOpen  bool // whether players can join now
	GameplayMode GameplayMode
	Extra        map[string]json.RawMessage // members that are not known
}

var serverMembers = [...]string{"name", "address", "port", "players", "isLobbyOpen", "gameplayMode"}

// minServer is the size of the smallest server, to bound their number.
const minServer = len(`{"name":"","address":"","port":0,"players":{"current":0,"max":0},` +
	`"isLobbyOpen":true,"gameplayMode":1}`)

// Check returns an error that names the first field which breaks the rules, nil
// if there is none. Lists of servers that do not judge what they are told may
// hold any text and any number.
func (m Server) Check() error {
	w := wire.NewWriter(nil)
	m.append(&w)
	_, err := w.Finish(proto)
	return err
}

func (m *Server) decode(j *wire.JSON, o Options) {
	s := j.Object(serverMembers[:], len(serverMembers), &m.Extra)
	for s.Next() {
		switch s.Name() {
		case "name":
			m.Name = j.Text()
			if o.Strict && m.Name == "" {
				j.Invalid()
			}
		case "address":
			m.Address = j.Text()
			if o.Strict && !validAddress(m.Address, o) {
				j.Invalid()
			}
		case "port":
			m.Port = decodeInt(j, o)
			if o.Strict && !validPort(m.Port) {
				j.Invalid()
			}
		case "players":
			m.Players.decode(j, o, o.Strict)
		case "isLobbyOpen":
			m.IsLobbyOpen = j.Bool()
		case "gameplayMode":
			m.GameplayMode = GameplayMode(decodeInt(j, o))
			if o.Strict && !m.GameplayMode.valid() {
				j.Invalid()
			}
		}
	}
}

func (m *Server) append(w *wire.Writer) {
	if m.Name == "" {
		w.Fail(lobbywire.ErrInvalid, "name")
	}
	if !validAddress(m.Address, Options{}) {
		w.Fail(lobbywire.ErrInvalid, "address")
	}
	if !validPort(m.Port) {
		w.Fail(lobbywire.ErrInvalid, "port")
	}
	w.Text(`{"name":`)
	w.JSONText("name", m.Name)
	w.Text(`,"address":`)
	w.JSONText("address", m.Address)
	w.Text(`,"port":`)
	w.Int(int64(m.Port))
	w.Text(`,"players":`)
	m.Players.append(w)
	w.Text(`,"isLobbyOpen":`)
	w.JSONBool(m.IsLobbyOpen)
	w.Text(`,"gameplayMode":`)
	if !m.GameplayMode.valid() {
		w.Fail(lobbywire.ErrInvalid, "gameplayMode")
	}
	w.Int(int64(m.GameplayMode))
	w.JSONExtra(m.Extra, serverMembers[:])
	w.Text(`}`)
}

// A PlayerCount is how full a game server is.
type PlayerCount struct {
	Current int                        // players who are there; with those who wait it may exceed Max
	Max     int                        // players of a round: 2, 3 or 4
	Extra   map[string]json.RawMessage // members that are not known
}

var playerCountMembers = [...]string{"current", "max"}

// decode reads both numbers and, if it is to judge, refuses invalid ones.
func (m *PlayerCount) decode(j *wire.JSON, o Options, judge bool) {
	p := j.Object(playerCountMembers[:], len(playerCountMembers), &m.Extra)
	for p.Next() {
		switch p.Name() {
		case "current":
			m.Current = decodeCurrent(j, o)
			if judge && m.Current < 0 {
				j.Invalid()
			}
		case "max":
			m.Max = decodeInt(j, o)
			if judge && !m.validMax() {
				j.Invalid()
			}
		}
	}
}

// decodeCurrent reads a number that may be a text: the specification calls it
// an integer, and its examples of lists have it in quotes.
func decodeCurrent(j *wire.JSON, o Options) int {
	if j.Peek() != '"' {
		return decodeInt(j, o)
	}
	p := string(j.View())
	n, err := strconv.ParseInt(p, 10, 32)
	if err != nil || !onlyDigits(p) || o.Strict && p[0] == '0' && len(p) > 1 {
		j.Invalid()
		return 0
	}
	return int(n)
}

func (m *PlayerCount) append(w *wire.Writer) {
	if m.Current < 0 || m.Current > math.MaxInt32 {
		w.Fail(lobbywire.ErrInvalid, "players.current")
	}
	if !m.validMax() {
		w.Fail(lobbywire.ErrInvalid, "players.max")
	}
	w.Text(`{"current":`)
	w.Int(int64(m.Current))
	w.Text(`,"max":`)
	w.Int(int64(m.Max))
	w.JSONExtra(m.Extra, playerCountMembers[:])
	w.Text(`}`)
}

func (m *PlayerCount) validMax() bool { return m.Max >= minPlayers && m.Max <= MaxPlayers }

// A GameplayMode is a set of rules that a game server plays by.
type GameplayMode int

// The modes. In the second there are more power-ups.
const (
	GameplayModeStandardA  GameplayMode = 1
	GameplayModeStandardAB GameplayMode = 2
)

// String returns "Standard A", "Standard A+B" or, as an example,
// "gameplayMode(7)".
func (m GameplayMode) String() string {
	switch m {
	case GameplayModeStandardA:
		return "Standard A"
	case GameplayModeStandardAB:
		return "Standard A+B"
	}
	return "gameplayMode(" + strconv.Itoa(int(m)) + ")"
}

func (m GameplayMode) valid() bool {
	return m == GameplayModeStandardA || m == GameplayModeStandardAB
}
