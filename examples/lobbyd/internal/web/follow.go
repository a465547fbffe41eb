package web

import "time"

// watchState is how often the state is checked.
const watchState = time.Second

// stateJSON is a State in the API.
type stateJSON struct {
	Node   string   `json:"node"`
	Nodes  []string `json:"nodes"`
	CutOff string   `json:"cutOff,omitempty"`
}

func (s *Server) stateJSON() stateJSON {
	state := s.state()
	j := stateJSON{Node: Visible(state.Node), Nodes: []string{}}
	for _, n := range state.Nodes {
		j.Nodes = append(j.Nodes, Visible(n))
	}
	if !state.CutOff.IsZero() {
		j.CutOff = stamp(state.CutOff)
	}
	return j
}

func (s *Server) stateEvent() []byte { return event("state", "", encode(s.stateJSON())) }

// follow adds changes to the feed until streams end. It closes ready once it has
// started.
func (s *Server) follow(ready chan<- struct{}) {
	ticker := time.NewTicker(watchState)
	defer ticker.Stop()
	s.feed.setState(s.stateEvent())
	for {
		changes, first := s.Catalogue.Subscribe()
		s.feed.restart(first.Version)
		if ready != nil {
			close(ready)
			ready = nil
		}
		for behind := false; !behind; {
			select {
			case <-s.stopping.Done():
				changes.Close()
				return
			case change, ok := <-changes.C:
				behind = !ok
				if ok {
					s.feed.add(changeFrame(s.boot, change))
				}
			case <-ticker.C:
				s.feed.setState(s.stateEvent())
			}
		}
	}
}
