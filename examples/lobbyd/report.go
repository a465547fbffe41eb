package main

import (
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
)

// report makes masters record what they do not list. Call it before they serve.
func (m *masters) report(to *refusals.Recent) {
	m.gameagent.Refused = to.Of("gameagent", false)
	m.gamespy.Refused = to.Of("gamespy", false)
	m.bomberman.Refused = to.Of("bomberman", true)
	m.lobby.Refused = to.Of("warzone", true)
	m.layout21.Refused = to.Of("layout21", true)
	m.layout20.Refused = to.Of("layout20", true)
	m.text.Refused = to.Of("text", true)
	m.binary.Refused = to.Of("binary", true)
	m.json.Refused = to.Of("json", true)
	m.http.Refused = to.Of("http", true)
}
