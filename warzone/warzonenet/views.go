package warzonenet

import "github.com/lobbywire/lobbywire"

// Views returns the views of the games.
func (l Listing) Views() []lobbywire.View {
	if l.HTTPGames != nil {
		return viewsOf(l.HTTPGames)
	}
	return viewsOf(l.Games)
}

// Views returns the views of the games.
func (l ProposalListing) Views() []lobbywire.View { return viewsOf(l.Games) }

// Views returns the views of the games.
func (l JSONListing) Views() []lobbywire.View { return viewsOf(l.Games) }

func viewsOf[G interface{ View() lobbywire.View }](games []G) []lobbywire.View {
	views := make([]lobbywire.View, len(games))
	for i, g := range games {
		views[i] = g.View()
	}
	return views
}
