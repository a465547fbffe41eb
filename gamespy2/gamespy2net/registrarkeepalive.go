package gamespy2net

import (
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// keepalive keeps a server registered and answers it.
func (r *registrar) keepalive(p *packet, dst [][]byte) [][]byte {
	k, err := qr2.ParseKeepalive(p.b)
	if err != nil || !r.touch(p, k.Key) || !r.socket.Verified.Allow(p.from.Addr(), p.now) {
		return dst
	}
	answer := qr2.KeepaliveAnswer{Key: k.Key, HasTime: true, Time: uint32(p.now.Unix())}
	return udp.AppendMessage(dst, answer) // cannot fail
}

// touch keeps a server registered, and reports whether its address is verified.
func (r *registrar) touch(p *packet, key [4]byte) bool {
	return r.catalogue.servers.Update(p.from, p.now, false, func(t *locked, i int) registry.Outcome {
		s := t.Value(i)
		if s.key != key {
			return registry.Ignore
		}
		s.local = p.local
		return registry.Keep
	})
}

// available answers an AvailabilityRequest for a known game. A server's answer to a
// challenge request may look like one, with a number as the name of the game.
func (r *registrar) available(p *packet, dst [][]byte) [][]byte {
	if !r.socket.Limiter.Allow(p.from.Addr(), p.now) {
		return dst
	}
	request, err := qr2.ParseAvailabilityRequest(p.b)
	game := r.catalogue.game(request.GameName)
	if err != nil || game == nil {
		r.catalogue.foreign.Add(1)
		return dst
	}
	return udp.AppendMessage(dst, qr2.AvailabilityAnswer{Availability: game.Availability}) // cannot fail
}
