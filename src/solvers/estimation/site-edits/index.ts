/** Edits of whole hosts, found in checks of their pages. */
export { findSiteEdits } from './detect.ts';
export type { DatedChecks, SiteEdits, SiteEditsAnswer } from './problem.ts';
export { type SiteChecks, siteEditsSaid, siteEditWarnings } from './warning.ts';
