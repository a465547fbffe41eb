package check

// ServerSuite returns the cases of a protocol for a server, or for a master over TCP; nil
// if there are none.
func ServerSuite(protocol string) *Suite {
	suites := map[string]func() *Suite{
		"sqp": sqpSuite, "gamespy2": gameSpy2Suite, "gameagent": gameAgentSuite,
		"bomberman": bombermanSuite, "warzone": warzoneSuite,
	}
	newSuite := suites[protocol]
	if newSuite == nil {
		return nil
	}
	return newSuite()
}
