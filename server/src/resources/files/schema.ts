import { type Static, Type } from 'typebox';
import { InstitutionOfBody } from '../../auth/portal/roles.ts';
import { defineRule, required } from '../../contract/validate.ts';
import { fileCategories, fileStatuses } from '../../files/names.ts';

type Names = Readonly<Record<number, string>>;

function codeOf(names: Names, description: string) {
  const listed = Object.entries(names).map(([code, name]) => `${code} ${name}`);
  return Type.Integer({
    enum: Object.keys(names).map(Number),
    names,
    description: `${description}: ${listed.join(', ')}.`,
  });
}

function nameOf(names: Names, description: string) {
  return Type.String({ enum: Object.values(names), description });
}

export const FileRecord = Type.Object(
  {
    bizId: Type.String({ description: 'Business identifier of the file.', examples: ['FILE_0000000001'] }),
    bucket: Type.String({ description: 'Storage bucket name.', examples: ['portico-files'] }),
    objectKey: Type.String({
      description: 'Object path in the bucket.',
      examples: ['2025/06/FILE_0000000001'],
    }),
    originalFilename: Type.String({ description: 'Name at upload.', examples: ['passport.pdf'] }),
    fileSize: Type.Integer({ description: 'Size in bytes.', examples: [48213] }),
    contentType: Type.String({
      description: 'Media type, by the content itself.',
      examples: ['application/pdf'],
    }),
    fileCategory: nameOf(fileCategories, 'Name of the category.'),
    fileStatus: nameOf(fileStatuses, 'Name of the status.'),
    etag: Type.String({
      description: 'SHA-256 of the content, in lower-case hex.',
      examples: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
    }),
    remark: Type.String({
      description: 'Free text; empty when there is none.',
      examples: ['Sent by the branch'],
    }),
    createdAt: Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' }),
    createdBy: Type.String({
      description: 'Identifier of the account, or of the API key, that uploaded it.',
      examples: ['ACC_DEMO_OWNER'],
    }),
  },
  { title: 'FileRecord' },
);

/** A key has a mode; a person chooses. */
const fileModes = { 1: 'LIVE', 2: 'TEST' } as const;

export const FilePath = Type.Object({
  bizId: Type.String({
    ...required,
    description: 'Business identifier of the file.',
    examples: ['FILE_0000000001'],
  }),
});

export const FileFilters = Type.Object(
  {
    ...InstitutionOfBody.properties,
    workspaceBizId: Type.Optional(
      Type.String({ ...required, description: 'Only files of this workspace.', examples: ['WS_DEMO'] }),
    ),
    fileCategory: Type.Optional(codeOf(fileCategories, 'Category code')),
    fileStatus: Type.Optional(codeOf(fileStatuses, 'Status code')),
    mode: Type.Optional(codeOf(fileModes, 'Mode of the files; LIVE unless given')),
  },
  { title: 'FileFilters' },
);

const nameBytesMax = 255;
const remarkMax = 1000;

/** Any name is taken: it is shown with care, and never used as a name of a file here. */
const fileName = defineRule('fileName', (text) => {
  if (text.trim() === '') return 'must not be blank';
  return Buffer.byteLength(text) > nameBytesMax
    ? `must have at most ${nameBytesMax} bytes in UTF-8`
    : undefined;
});

const described = {
  fileCategory: codeOf(fileCategories, 'Category code'),
  remark: Type.Optional(
    Type.String({ maxLength: remarkMax, description: 'Free text.', examples: ['Sent by the branch'] }),
  ),
};

/** What is said of a file that is uploaded. */
export const NewFile = Type.Object({
  filename: Type.String({
    ...fileName,
    description: `Name of the file, at most ${nameBytesMax} bytes in UTF-8.`,
    examples: ['passport.pdf'],
  }),
  ...described,
});

export type NewFile = Static<typeof NewFile>;

/** The bytes of a body or of a part of it. */
export const FileBytes = Type.String({
  contentMediaType: 'application/octet-stream',
  description: 'The bytes.',
  examples: ['%PDF-1.7 …'],
});

/** Where a form says that its file belongs. */
export const FormPlace = Type.Object({
  ...InstitutionOfBody.properties,
  workspaceBizId: Type.String({
    ...required,
    description: 'Business identifier of the workspace, one of the institution.',
    examples: ['WS_DEMO'],
  }),
});

/** The form as the portal sends it. Its fields stand before the file, whose part has the name. */
export const UploadForm = Type.Object(
  { ...FormPlace.properties, ...described, file: FileBytes },
  { title: 'UploadForm' },
);
