package web

import (
	"bytes"
	"embed"
	"io/fs"
	"net/http"
	"path"
)

//go:embed assets
var assetFiles embed.FS

// assets are the styles and scripts of the pages, with their tags.
type assets map[string]asset

type asset struct {
	tag, contentType string
	body             []byte
}

func newAssets() assets {
	types := map[string]string{
		".css": "text/css; charset=utf-8",
		".js":  "text/javascript; charset=utf-8",
		".svg": "image/svg+xml",
	}
	all := make(assets)
	names, _ := fs.Glob(assetFiles, "assets/*") // the pattern is valid
	for _, name := range names {
		body, err := assetFiles.ReadFile(name)
		if err != nil {
			continue
		}
		all["/"+name] = asset{digest(body), types[path.Ext(name)], body}
	}
	return all
}

func (a assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, found := a[r.URL.Path]
	if !found {
		http.NotFound(w, r)
		return
	}
	answerAs(w, r, file.contentType, file.tag, bytes.NewReader(file.body))
}

// serveIcon sends the icon of the pages, for browsers that show anything else of this server. They
// may keep it for a day.
func (a assets) serveIcon(w http.ResponseWriter, r *http.Request) {
	icon := a["/assets/icon.svg"]
	w.Header().Set("Cache-Control", "public, max-age=86400")
	answerAs(w, r, icon.contentType, icon.tag, bytes.NewReader(icon.body))
}
