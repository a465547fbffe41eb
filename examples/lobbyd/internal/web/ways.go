package web

import (
	"cmp"
	"net"
	"net/http"
	"net/netip"
	"net/url"
)

// A Way is a way for servers to register.
type Way struct {
	Protocol string // for readers, such as "Warzone 2100, 2.2 to 4.6"
	At       string // host:port; "" is where the page is

	// Scheme and Path are parts of the URL, for protocols over HTTP; "" is none.
	Scheme, Path string

	How string // what to do, in a sentence
}

// A registration is a Way on the page.
type registration struct{ Protocol, Address, How string }

// waysFor returns the ways for a visitor, who reaches this machine at the host of the page.
func (s *Server) waysFor(r *http.Request) (all []registration) {
	if s.Ways == nil {
		return nil
	}
	for _, way := range s.Ways() {
		all = append(all, registration{way.Protocol, way.addressFor(r), way.How})
	}
	return all
}

func (w Way) addressFor(r *http.Request) string {
	at := r.Host
	if host, port, err := net.SplitHostPort(w.At); err == nil {
		at = net.JoinHostPort(reachedAt(host, r.Host), port)
	}
	if w.Path == "" {
		return at
	}
	scheme := cmp.Or(w.Scheme, "http")
	if w.Scheme == "" && r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return (&url.URL{Scheme: scheme, Host: at, Path: w.Path}).String()
}

// reachedAt returns the host of a listener. For all addresses of the machine, it returns the host
// of the page.
func reachedAt(host, page string) string {
	if addr, err := netip.ParseAddr(host); host != "" && (err != nil || !addr.IsUnspecified()) {
		return host
	}
	if name, _, err := net.SplitHostPort(page); err == nil {
		return name
	}
	return page
}
