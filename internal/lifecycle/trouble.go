package lifecycle

import (
	"context"
	"errors"
	"log/slog"
	"net"
)

// A Trouble is a failure that may repeat, because the operation is retried. It is logged
// when it begins, when its reason changes, and when it is over. Its zero value means no
// failure. It is not safe for concurrent use.
type Trouble struct {
	last error // nil if there is none
}

// Failed logs err as a warning, or at the level Debug if it repeats the last one. logger may
// be nil.
func (t *Trouble) Failed(ctx context.Context, logger *slog.Logger, text string, err error, more ...slog.Attr) {
	level := slog.LevelWarn
	if t.last != nil && isRepeated(t.last, err) {
		level = slog.LevelDebug
	}
	t.last = err
	if logger != nil {
		logger.LogAttrs(ctx, level, text, append(more, slog.Any("error", err))...)
	}
}

// Over logs that there is no failure any more, unless there was none. logger may be nil.
func (t *Trouble) Over(ctx context.Context, logger *slog.Logger, text string, more ...slog.Attr) {
	was := t.last
	t.last = nil
	if was != nil && logger != nil {
		logger.LogAttrs(ctx, slog.LevelInfo, text, more...)
	}
}

// isRepeated reports whether two errors have the same reason. The texts of errors of sockets
// differ in ports.
func isRepeated(a, b error) bool {
	notFound, ok := errors.AsType[*net.DNSError](a)
	if again, both := errors.AsType[*net.DNSError](b); ok && both {
		return notFound.Name == again.Name && notFound.IsNotFound == again.IsNotFound
	}
	failed, ok := errors.AsType[*net.OpError](a)
	if again, both := errors.AsType[*net.OpError](b); ok && both {
		return failed.Op == again.Op && failed.Err.Error() == again.Err.Error()
	}
	return a.Error() == b.Error()
}
