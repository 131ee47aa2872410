import { ApiError } from '../../contract/api-error.ts';

/** The same for a link that was used, revoked or replaced, has expired, or never was. */
export const noInvitation = () =>
  new ApiError('4040', 'the link is not valid: it was used or withdrawn, has expired, or is incomplete');

export const hasAccountAlready = () =>
  new ApiError('4090', 'this address has an account already; sign in with it to accept the invitation');

export const isBoundAlready = () => new ApiError('4090', 'the person is bound to another account already');

export const isForAnother = () => new ApiError('4030', 'the invitation is for another e-mail address');
