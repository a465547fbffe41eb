package certificate

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// files are a certificate and its key. They are read again when the certificate has
// changed, because another program renews it.
type files struct {
	cert, key string

	mu      sync.Mutex
	changed time.Time
	last    *tls.Certificate
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
	if err != nil {
		if f.last != nil {
			return f.last, nil // while it is being renewed
		}
		return nil, err
	}
	f.changed, f.last = info.ModTime(), &read
	return f.last, nil
}
