package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
)

// An api is a client of the JSON API. It reuses its last answer on 304.
type api struct {
	url    string
	client http.Client
	tag    string
	last   []Listed
}

// newAPI returns a client that makes a new connection for each request, as many
// browsers would.
func newAPI(addr string) *api {
	return &api{
		url:    "http://" + addr + "/api/servers",
		client: http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: inTime},
	}
}

// list requests all servers.
func (a *api) list(ctx context.Context) ([]Listed, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.url, nil)
	if err != nil {
		return nil, err
	}
	if a.tag != "" {
		r.Header.Set("If-None-Match", a.tag)
	}
	w, err := a.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	switch {
	case err != nil:
		return nil, err
	case w.StatusCode == http.StatusNotModified:
		return a.last, nil
	case w.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("answers %s", w.Status)
	}
	a.last, err = parseAPI(b)
	a.tag = w.Header.Get("ETag")
	return a.last, err
}

// parseAPI parses an answer of the API strictly.
func parseAPI(b []byte) ([]Listed, error) {
	var all struct {
		Version string `json:"version"`
		Servers []struct {
			ID         string `json:"id"`
			Family     string `json:"family"`
			Source     string `json:"source"`
			Node       string `json:"node"`
			Address    string `json:"address"`
			Game       string `json:"game"`
			Name       string `json:"name"`
			Colours    any    `json:"colours"`
			Map        string `json:"map"`
			Mode       string `json:"mode"`
			Version    string `json:"version"`
			Players    *int   `json:"players"`
			MaxPlayers *int   `json:"maxPlayers"`

			Spectators    *int `json:"spectators"`
			MaxSpectators *int `json:"maxSpectators"`

			Since      string `json:"since"`
			Seen       string `json:"seen"`
			Verified   bool   `json:"verified"`
			Saved      string `json:"saved"`
			Reach      string `json:"reach"`
			Quarantine string `json:"quarantine"`
			Queryable  bool   `json:"queryable"`
		} `json:"servers"`
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		return nil, err
	}
	list, ids := make([]Listed, 0, len(all.Servers)), make(map[string]bool)
	for _, s := range all.Servers {
		if s.Source == string(HTTP) && s.Address == "" && s.ID != "" && !ids[s.ID] {
			ids[s.ID] = true
			list = append(list, placed(s.Name))
			continue
		}
		at, err := netip.ParseAddrPort(s.Address)
		if err != nil || s.ID == "" || ids[s.ID] {
			return nil, fmt.Errorf("has a duplicate ID or an invalid address: %+v", s)
		}
		ids[s.ID] = true
		list = append(list, Listed{s.Name, at})
	}
	return list, nil
}
