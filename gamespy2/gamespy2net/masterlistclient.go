package gamespy2net

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"math"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Reasons to end the connection of a client.
var (
	errTooMany    = errors.New("gamespy2net: too many requests")
	errOrder      = errors.New("gamespy2net: the first message, and only that, must be a list request")
	errNoGame     = errors.New("gamespy2net: the game of the client is unknown")
	errFellBehind = errors.New("gamespy2net: the client has fallen too far behind the changes")
)

const maxFields = 20 // that a client may request; GameSpy's client requests no more

// A browser is the connection of a client.
type browser struct {
	*Master
	conn    *stream.Conn
	game    *gameTable // nil until its list is requested
	secret  string     // the key of the game that the list is encrypted with
	request sb2.ListRequest
	keys    []sb2.Key
	filter  filter.Filter
	pushing sync.WaitGroup

	writing sync.Mutex // guards cipher and buffer, and the order of writes
	cipher  sb2.Cipher
	buffer  []byte // encrypted bytes
}

// receive handles a message. An error ends the connection.
func (b *browser) receive(ctx context.Context, frame []byte) error {
	m, err := sb2.ParseRequest(frame)
	if err != nil {
		return err
	}
	if _, ok := m.(sb2.Keepalive); ok {
		return nil
	}
	if !b.lists.limiter.Allow(b.conn.Remote().Addr(), time.Now()) {
		return errTooMany
	}
	request, isFirst := m.(sb2.ListRequest)
	if isFirst != (b.game == nil) {
		return errOrder
	}
	switch m := m.(type) {
	case sb2.ListRequest:
		return b.list(ctx, request)
	case sb2.RulesRequest:
		return b.rules(m.Addr)
	case sb2.MessageRequest:
		b.message(m)
	case sb2.PlayerSearchRequest:
		return b.send(sb2.PlayerSearch{Final: true}) // ends the search of GameSpy's client
	}
	return nil
}

// list answers the request for a list.
func (b *browser) list(ctx context.Context, request sb2.ListRequest) error {
	from, game := b.gameNamed(request.FromGame), b.gameNamed(request.ForGame)
	if from == nil {
		return errNoGame
	}
	b.game, b.secret, b.request = cmp.Or(game, from), from.Key, request
	names := slices.Collect(request.Fields.All())
	var err error
	b.filter, err = filter.ParseFilter([]byte(request.Filter))
	switch {
	case game == nil:
		return b.refuse("unknown game")
	case len(names) > maxFields:
		return b.refuse("too many fields")
	case err != nil:
		return b.refuse("invalid " + err.Error())
	}
	for _, name := range names {
		b.keys = append(b.keys, sb2.Key{Name: name})
	}
	b.request.Fields = sb2.MakeFieldList(names...) // one form for each list
	position, err := b.sendList(ctx)
	if err != nil {
		return err
	}
	b.lists.lists.Add(1)
	if request.Options&sb2.OptionPush != 0 {
		b.subscribe(ctx, position)
	}
	return nil
}

// start sends the head, and the encrypted part before the servers of a list.
func (b *browser) start(appender *sb2.ListAppender, list sb2.List) error {
	head := sb2.Head{Random: make([]byte, 6), Challenge: make([]byte, 25)}
	rand.Read(head.Random) // cannot fail
	rand.Read(head.Challenge)
	if b.game.RequireChallenge {
		head.Options = sb2.GameChallenge
	}
	key, err := sb2.CombineKey(b.secret, b.request.Challenge, head.Challenge)
	if err != nil {
		return err
	}
	b.cipher = sb2.NewCipher(key)
	list.ClientIP = b.clientIP()
	out, _ := head.AppendBinary(nil) // cannot fail
	at := len(out)
	if out, err = appender.AppendStart(out, list); err != nil {
		return err
	}
	b.cipher.Encrypt(out[at:], out[at:])
	_, err = b.conn.Write(out)
	return err
}

// clientIP returns the address in the request or else that of the connection. Clients
// query servers with this address at their private address.
func (b *browser) clientIP() netip.Addr {
	addr := b.conn.Remote().Addr()
	switch {
	case b.request.Options&sb2.OptionSourceIP != 0:
		return b.request.SourceIP
	case !addr.Is4():
		return netip.IPv4Unspecified()
	}
	return addr
}

// refuse sends an error in place of a list.
func (b *browser) refuse(reason string) error {
	b.lists.refused.Add(1)
	return b.start(sb2.NewListAppender(nil, nil), sb2.List{DefaultPort: sb2.ErrorPort, Error: reason})
}

// sendList sends a list, and returns the position of its game in the changes.
func (b *browser) sendList(ctx context.Context) (position uint64, err error) {
	start := sb2.List{DefaultPort: defaultPort}
	if b.request.Options&sb2.OptionNoList != 0 {
		start.NoList = true
		_, position = b.snapshot(b.game, math.MaxUint64)
		return position, b.start(sb2.NewListAppender(nil, nil), start)
	}
	id := encodedKey{b.request.Fields, b.request.Options&sb2.OptionAllFields != 0}
	k := b.encodedList(b.game, id, b.keys)
	parts, err := b.choose(ctx, k)
	if err != nil {
		return 0, err
	}
	if err := b.start(k.appender, start); err != nil {
		return 0, err
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	b.buffer = make([]byte, 0, listBuffer)
	defer func() { b.buffer = nil }()
	for _, part := range parts {
		if err := b.write(part); err != nil {
			return 0, err
		}
	}
	if err := b.write(k.appender.AppendEnd(nil)); err != nil {
		return 0, err
	}
	return k.position, b.flush()
}

// filterUnit is the product of a filter's length and the number of servers that counts as
// one more request. It takes about 5 ms.
const filterUnit = 1 << 18

// choose returns the bytes of the servers that the client gets. It fails if applying
// the filter would exceed the rate limit of the client.
func (b *browser) choose(ctx context.Context, k *encodedList) ([][]byte, error) {
	if b.request.Options&sb2.OptionGroups != 0 {
		return nil, nil // there are none
	}
	limit := len(k.ends)
	if b.request.Options&sb2.OptionLimit != 0 {
		limit = int(min(b.request.MaxServers, uint32(limit)))
	}
	if b.filter.Op == "" {
		return [][]byte{k.parts(0, limit)}, nil
	}
	units := len(b.request.Filter) * len(k.ends) / filterUnit
	if units > 0 && !b.lists.limiter.AllowN(b.conn.Remote().Addr(), units, time.Now()) {
		return nil, errTooMany
	}
	select {
	case b.lists.slots <- struct{}{}:
		defer func() { <-b.lists.slots }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	var parts [][]byte
	var l *listing
	lookup := func(key string) (value string, ok bool) { return l.lookup(key) }
	first, chosen := 0, 0 // the servers from first on are chosen
	for i := range k.ends {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		l = k.servers[i]
		if chosen < limit && b.filter.Match(lookup) {
			chosen++
			continue
		}
		if first < i {
			parts = append(parts, k.parts(first, i))
		}
		first = i + 1
	}
	if first < len(k.ends) {
		parts = append(parts, k.parts(first, len(k.ends)))
	}
	return parts, nil
}

// The number of bytes that are written at a time.
const listBuffer, pushBuffer = 32 << 10, 4 << 10

// write encrypts p into the buffer, and writes the buffer when it is full. The
// caller holds b.writing.
func (b *browser) write(p []byte) error {
	if b.buffer == nil {
		b.buffer = make([]byte, 0, pushBuffer)
	}
	for len(p) > 0 {
		start := len(b.buffer)
		n := min(len(p), cap(b.buffer)-start)
		b.buffer = b.buffer[:start+n]
		b.cipher.Encrypt(b.buffer[start:], p[:n])
		p = p[n:]
		if len(b.buffer) == cap(b.buffer) {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the buffer. The caller holds b.writing.
func (b *browser) flush() error {
	_, err := b.conn.Write(b.buffer)
	b.buffer = b.buffer[:0]
	return err
}

// send writes a pushed message.
func (b *browser) send(m sb2.Push) error {
	p, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	if err := b.write(p); err != nil {
		return err
	}
	return b.flush()
}
