package fuzzharness

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"strconv"
	"sync"
)

// A GameSpyServer answers queries of version 2 for all keys of some sections.
// Each query must contain the number of a challenge.
type GameSpyServer struct {
	Key []byte // of challenges, secret

	mu   sync.Mutex
	game GameSpyGame
}

// A GameSpyGame is the state of a game that a GameSpyServer shows.
type GameSpyGame struct {
	Info    [][2]string // keys and values, none of them empty or with a zero byte
	Players []string    // at most 255, none of them empty or with a zero byte
}

// Set sets the state of the game.
func (s *GameSpyServer) Set(game GameSpyGame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game = game
}

// Respond returns the answer to a datagram, or nil.
func (s *GameSpyServer) Respond(from netip.AddrPort, req []byte) []byte {
	if len(req) < 7 || len(req) > 255 || req[0] != 0xfe || req[1] != 0xfd {
		return nil
	}
	id, number := req[3:7], s.number(from)
	switch {
	case req[2] == 9:
		b := append([]byte{9}, id...)
		return append(strconv.AppendInt(b, int64(number), 10), 0)
	case req[2] == 0 && len(req) == 14 && binary.BigEndian.Uint32(req[7:]) == number:
		return s.answer(id, req[11:])
	}
	return nil
}

// number returns the number that a client at this address must send back.
func (s *GameSpyServer) number(from netip.AddrPort) uint32 {
	h := hmac.New(sha256.New, s.Key)
	h.Write([]byte(from.String()))
	return binary.BigEndian.Uint32(h.Sum(nil))>>2 | 1<<20 // at least six digits, not negative
}

// answer returns the sections whose selector is ff.
func (s *GameSpyServer) answer(id, selectors []byte) []byte {
	for _, selector := range selectors {
		if selector != 0 && selector != 0xff {
			return nil // single keys, or a list of keys
		}
	}
	if [3]byte(selectors) == [3]byte{} {
		return nil // nothing is requested
	}
	s.mu.Lock()
	game := s.game
	s.mu.Unlock()
	b := append([]byte{0}, id...)
	if selectors[0] == 0xff {
		for _, pair := range game.Info {
			b = append(append(b, pair[0]...), 0)
			b = append(append(b, pair[1]...), 0)
		}
		b = append(b, 0)
	}
	if selectors[1] == 0xff {
		b = append(b, 0, byte(len(game.Players)))
		b = append(b, "player_\x00\x00"...)
		for _, name := range game.Players {
			b = append(append(b, name...), 0)
		}
	}
	if selectors[2] == 0xff {
		b = append(b, 0, 0, 0) // no teams, and no columns
	}
	return b
}
