package certificate

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// files are a certificate and its key. They are read again when the certificate has
// changed, because another program renews it.
type files struct {
	cert, key string
	log       *slog.Logger

	mu      sync.Mutex
	changed time.Time
	last    *tls.Certificate
	unread  error     // why the files cannot be read, while the last certificate is served
	warned  time.Time // when the log last had it
}

func (f *files) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.cert)
	if err == nil && f.last != nil && info.ModTime().Equal(f.changed) {
		return f.last, nil
	}
	var read tls.Certificate
	if err == nil {
		read, err = tls.LoadX509KeyPair(f.cert, f.key)
	}
	switch {
	case err != nil && f.last == nil:
		return nil, err
	case err != nil:
		f.warnLocked(err)
		return f.last, nil // while it is being renewed, or for as long as it is valid
	}
	f.changed, f.last, f.unread = info.ModTime(), &read, nil
	f.log.Info("certificate", "name", nameOf(read.Leaf), "expires", read.Leaf.NotAfter)
	return f.last, nil
}

// warnLocked warns from time to time about files that cannot be read any more.
func (f *files) warnLocked(err error) {
	isNew := f.unread == nil
	f.unread = err
	if now := time.Now(); isNew || now.Sub(f.warned) >= warnEvery {
		f.warned = now
		f.log.Warn("the new certificate of -warzone-http cannot be read; the old one is served", "name", nameOf(f.last.Leaf),
			"expires", f.last.Leaf.NotAfter, "error", err)
	}
}
