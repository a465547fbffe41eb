package gamespy2net

// SetKey sets the instance key of a Registration that has begun.
func (r *Registration) SetKey(key [4]byte) { r.instance = key }
