/** A file of its own: the version is asked for in every run, and the host itself takes long to load. */
export const pinningVersion = 'pinning 1'
