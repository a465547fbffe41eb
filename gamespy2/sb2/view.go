package sb2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// View returns the view of a server in a list, from Fields and Rules as
// [gamespy2.Response.View] reads them, with IP as Host.
func (m Server) View() lobbywire.View {
	info := m.Fields
	if len(m.Rules) > 0 {
		info = append(info[:len(info):len(info)], m.Rules...)
	}
	v := gamespy2.Response{Info: info}.View()
	if m.IP.IsValid() {
		v.Host = m.IP.String()
	}
	return v
}
