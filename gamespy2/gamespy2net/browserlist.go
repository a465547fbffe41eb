package gamespy2net

import (
	"cmp"
	"context"
	"crypto/rand"
	"math"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

const maxFields = 20 // maximum of a request; GameSpy's client requests no more

// list answers the request for a list.
func (b *browser) list(ctx context.Context, request sb2.ListRequest) error {
	from, game := b.lists.catalogue.game(request.FromGame), b.lists.catalogue.game(request.ForGame)
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
	if err == errCostly {
		b.lists.costly.Add(1)
		return b.refuse("the filter takes too much time")
	}
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
	var err error
	b.cipher, err = sb2.NewCipher(b.secret, b.request.Challenge, head.Challenge)
	if err != nil {
		return err
	}
	list.ClientIP = b.clientIP()
	out, _ := head.AppendBinary(nil) // cannot fail
	at := len(out)
	out, err = appender.AppendStart(out, list)
	if err != nil {
		return err
	}
	b.cipher.Encrypt(out[at:], out[at:])
	_, err = b.conn.Write(out)
	return err
}

// clientIP returns the address in the request or else the address of the connection.
// Clients query servers with this address at their private address.
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
	start := sb2.List{DefaultPort: gamelist.DefaultPort}
	if b.request.Options&sb2.OptionNoList != 0 {
		start.NoList = true
		_, position = b.lists.catalogue.snapshot(b.game, math.MaxUint64)
		return position, b.start(sb2.NewListAppender(nil, nil), start)
	}
	form := gamelist.Form{Fields: b.request.Fields, All: b.request.Options&sb2.OptionAllFields != 0}
	k := b.game.Encoded.Get(form, b.keys, func(since uint64) (all []*gamelist.Listing, position uint64) {
		return b.lists.catalogue.snapshot(b.game, since)
	})
	parts, err := b.choose(ctx, k)
	if err != nil {
		return 0, err
	}
	if err := b.start(k.Appender, start); err != nil {
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
	if err := b.write(k.Appender.AppendEnd(nil)); err != nil {
		return 0, err
	}
	return k.Position, b.flush()
}

// filterChunk is the number of servers after which another client may apply its filter.
const filterChunk = 64

// choose returns the bytes of the servers that the client gets. It fails if the filter
// exceeds the limit of the client.
func (b *browser) choose(ctx context.Context, k *gamelist.Encoded) (parts [][]byte, err error) {
	if b.request.Options&sb2.OptionGroups != 0 {
		return nil, nil // there are none
	}
	limit := len(k.Servers)
	if b.request.Options&sb2.OptionLimit != 0 {
		limit = int(min(b.request.MaxServers, uint32(limit)))
	}
	if b.filter.Op == "" {
		return [][]byte{k.Parts(0, limit)}, nil
	}
	work := b.newWork()
	defer work.charge()
	if err := work.begin(); err != nil {
		return nil, err
	}
	first, chosen := 0, 0 // the servers from first on are chosen
	for start := 0; start < len(k.Servers); start += filterChunk {
		select {
		case b.lists.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		for i := start; i < min(start+filterChunk, len(k.Servers)) && err == nil; i++ {
			var matches bool
			if chosen < limit {
				matches, err = work.match(k.Servers[i])
			}
			if matches {
				chosen++
				continue
			}
			if first < i {
				parts = append(parts, k.Parts(first, i))
			}
			first = i + 1
		}
		<-b.lists.slots
		if err != nil {
			return nil, err
		}
	}
	if first < len(k.Servers) {
		parts = append(parts, k.Parts(first, len(k.Servers)))
	}
	return parts, nil
}
