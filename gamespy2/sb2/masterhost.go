package sb2

import "strconv"

// masterHosts is the number of hosts over which GameSpy spread its masters.
const masterHosts = 20

// MasterHost returns the name of the host at which GameSpy's client looks for the master of
// a game, such as "battlefield2.ms14.gamespy.com" for the domain "gamespy.com". The number
// is a hash of the name of the game, ignoring case.
func MasterHost(game, domain string) string {
	var hash uint32
	for i := range len(game) {
		c := game[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		hash = hash*0x9ccf9319 + uint32(c)
	}
	return game + ".ms" + strconv.FormatUint(uint64(hash%masterHosts), 10) + "." + domain
}
