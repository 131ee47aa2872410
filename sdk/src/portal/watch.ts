import type { Answer } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import { queryString } from '../wire.ts';
import { ChannelCalls } from './channels.ts';
import { workspacePath } from './paths.ts';
import type { Overview, OverviewQuery } from './watch-records.ts';

/** What became of the calls that were made with the keys of a workspace. */
export class WatchCalls extends ChannelCalls {
  overview(workspaceId: string, query: OverviewQuery = {}, options: CallOptions = {}): Answer<Overview> {
    return this.read(`${workspacePath(workspaceId)}/overview${queryString(query)}`, options);
  }
}
