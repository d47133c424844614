// The scripted model server and the network that breaks also ship, in the probe; tests find them here.
@_exported public import Rehearsal
