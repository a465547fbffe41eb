package web

import "net/http"

// embedPolicy is for the only page that others may show in a frame. Its script reads the server
// again each minute. It has no forms, and only one link, which opens a new tab.
const embedPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors *; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

// serveEmbed sends a small page of a server for a frame on another page.
func (s *Server) serveEmbed(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", embedPolicy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	v, status := s.view(), http.StatusNotFound
	if e, found := s.Catalogue.Snapshot().Find(r.PathValue("id")); found && e.Quarantine == "" {
		v.Server, status = serverOf(e), http.StatusOK
	}
	s.render(w, r, status, "embed.html", v)
}
