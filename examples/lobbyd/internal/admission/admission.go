// Package admission names what lobbyd uses of the package of this name that programs
// share.
package admission

import "github.com/lobbywire/lobbywire/examples/internal/admission"

// The types of the shared package.
type (
	Door       = admission.Door
	Conns      = admission.Conns
	ConnLimits = admission.ConnLimits
	Stats      = admission.Stats
	Reason     = admission.Reason
)

// Streams is the reason for too many streams of events.
const Streams = admission.Streams

// Reasons returns all reasons.
func Reasons() []Reason { return admission.Reasons() }
