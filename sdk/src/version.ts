/** A copy of the manifest's, as nothing is read at run time; a test holds it. */
export const version = '0.1.0';
