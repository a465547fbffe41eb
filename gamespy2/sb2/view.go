package sb2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// View returns the server in the common form, from the keys in Fields and Rules as
// [gamespy2.Response.View] does, with IP as Host.
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
