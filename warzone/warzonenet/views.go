package warzonenet

import "github.com/lobbywire/lobbywire"

// Views returns the games in the form that all protocols share.
func (l Listing) Views() []lobbywire.View {
	if l.HTTPGames != nil {
		return viewsOf(l.HTTPGames)
	}
	return viewsOf(l.Games)
}

// Views returns the games in the form that all protocols share.
func (l ProposalListing) Views() []lobbywire.View { return viewsOf(l.Games) }

// Views returns the games in the form that all protocols share.
func (l JSONListing) Views() []lobbywire.View { return viewsOf(l.Games) }

func viewsOf[G interface{ View() lobbywire.View }](games []G) []lobbywire.View {
	views := make([]lobbywire.View, len(games))
	for i, g := range games {
		views[i] = g.View()
	}
	return views
}
