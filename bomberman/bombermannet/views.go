package bombermannet

import "github.com/lobbywire/lobbywire"

// Views returns the game servers in the form that all protocols share.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Servers))
	for i, s := range l.Servers {
		views[i] = s.View()
	}
	return views
}
