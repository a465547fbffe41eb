package wzhttpnet

// HostStats has the counts of a Host since its creation.
type HostStats struct {
	Connects uint64 // announcements that the lobby has accepted
	Failures uint64 // announcements that have failed or ended early
	Sent     uint64 // announcements and changes
	Keeps    uint64 // empty Patches
}
