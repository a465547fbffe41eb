package fuzzharness

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"net/netip"
	"sync"
)

// An SQPServer answers queries for ServerInfo only.
type SQPServer struct {
	Key []byte // of tokens, secret

	mu   sync.Mutex
	game SQPGame
}

// An SQPGame is the state of a game that an SQPServer shows.
type SQPGame struct {
	Name, Type, Build, Map string // at most 255 bytes each
	Players, MaxPlayers    uint16
	Port                   uint16
}

// Set sets the state of the game.
func (s *SQPServer) Set(game SQPGame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.game = game
}

// Respond returns the answer to a datagram, or nil.
func (s *SQPServer) Respond(from netip.AddrPort, req []byte) []byte {
	token := s.token(from)
	switch {
	case bytes.Equal(req, make([]byte, 5)): // an answer to one has another token
		return append([]byte{0}, token...)
	case len(req) == 8 && req[0] == 1 && hmac.Equal(req[1:5], token) &&
		binary.BigEndian.Uint16(req[5:]) == 1 && req[7] == 1:
		return s.answer(token)
	}
	return nil
}

// token returns the four bytes that a client at this address must send back.
func (s *SQPServer) token(from netip.AddrPort) []byte {
	h := hmac.New(sha256.New, s.Key)
	h.Write([]byte(from.String()))
	return h.Sum(nil)[:4]
}

// answer returns a packet with ServerInfo.
func (s *SQPServer) answer(token []byte) []byte {
	s.mu.Lock()
	game := s.game
	s.mu.Unlock()
	info := binary.BigEndian.AppendUint16(nil, game.Players)
	info = binary.BigEndian.AppendUint16(info, game.MaxPlayers)
	for _, text := range []string{game.Name, game.Type, game.Build, game.Map} {
		info = append(append(info, byte(len(text))), text...)
	}
	info = binary.BigEndian.AppendUint16(info, game.Port)

	b := append([]byte{1}, token...)
	b = append(b, 0, 1, 0, 0) // version, current and last packet
	b = binary.BigEndian.AppendUint16(b, uint16(4+len(info)))
	b = binary.BigEndian.AppendUint32(b, uint32(len(info)))
	return append(b, info...)
}
