package protocols

import (
	"context"
	"errors"
	"iter"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// Listed yields the servers on a list, then a LeftOutError if entries cannot be read, and then the
// error, if any, or ErrPartial. It yields servers of gamespy2, whose lists may be long, as they
// arrive, and servers of other protocols at the end of the list.
func (p Protocol) Listed(ctx context.Context, addr string, a Settings, q gamespy2net.ListQuery,
) iter.Seq2[lobbywire.Listed, error] {
	if p.Name == "gamespy2" {
		return gamespy2Listed(ctx, addr, a, q)
	}
	return func(yield func(lobbywire.Listed, error) bool) {
		l := p.Source(addr, a, q).List
		got := l.Lister.ListViews(ctx, l.Addr)
		for _, server := range got.Servers {
			if !yield(server, nil) {
				return
			}
		}
		left := lobbywire.LeftOutError{LeftOut: lobbywire.LeftOut{Unreadable: got.Skipped}}
		if got.Skipped > 0 && !yield(lobbywire.Listed{}, left) {
			return
		}
		switch {
		case got.Err != nil:
			yield(lobbywire.Listed{}, got.Err)
		case got.Partial:
			yield(lobbywire.Listed{}, output.ErrPartial)
		}
	}
}

// gamespy2Listed yields what [gamespy2net.Client.ListViews] returns.
func gamespy2Listed(ctx context.Context, addr string, a Settings, q gamespy2net.ListQuery,
) iter.Seq2[lobbywire.Listed, error] {
	return func(yield func(lobbywire.Listed, error) bool) {
		any := false
		for change, err := range GameSpy2Client(a).Subscribe(ctx, addr, q, false) {
			switch {
			case err != nil && any && !errors.As(err, new(*lobbywire.Error)):
				yield(lobbywire.Listed{}, output.ErrPartial)
				return
			case err != nil:
				yield(lobbywire.Listed{}, err)
				return
			case change.List != nil:
				return
			}
			any = true
			l := lobbywire.Listed{View: change.Server.View(), Entry: change.Server}
			l.View.Host = change.Addr.Addr().String()
			if change.Server.Flags&sb2.FlagUnsolicitedUDP != 0 {
				l.Query = change.Addr
			}
			if !yield(l, nil) {
				return
			}
		}
	}
}
