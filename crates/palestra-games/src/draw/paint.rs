//! The paint of cells and areas: colours, edges, hollows and textures.

/// The paint of a cell's outline, of a hole, of an area.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paint {
    /// The colour inside.
    pub fill: Option<&'static str>,
    /// The colour of the edge.
    pub stroke: Option<&'static str>,
    /// The width of the edge, in cells.
    pub width: f32,
    /// A hollow instead of a colour inside, and its colours, from the middle to the rim.
    pub depth: Option<(Depth, &'static [&'static str])>,
    /// The edge is dashed: the length of dashes and of gaps, in cells. A dash shorter than the edge is wide is a dot.
    pub dashes: Option<(f32, f32)>,
}

impl Paint {
    /// Nothing: neither inside nor edge.
    pub const NONE: Self = Self { fill: None, stroke: None, width: 0.0, depth: None, dashes: None };

    /// A colour inside, and no edge.
    #[must_use]
    pub const fn fill(fill: &'static str) -> Self {
        Self { fill: Some(fill), ..Self::NONE }
    }

    /// An edge, and nothing inside.
    #[must_use]
    pub const fn line(stroke: &'static str, width: f32) -> Self {
        Self { stroke: Some(stroke), width, ..Self::NONE }
    }

    /// The same with an edge.
    #[must_use]
    pub const fn edged(self, stroke: &'static str, width: f32) -> Self {
        Self { stroke: Some(stroke), width, ..self }
    }

    /// The same with a dashed edge.
    #[must_use]
    pub const fn dashed(self, dash: f32, gap: f32) -> Self {
        Self { dashes: Some((dash, gap)), ..self }
    }

    /// A hollow, and its colours from the middle to the rim.
    #[must_use]
    pub const fn depth(depth: Depth, colours: &'static [&'static str]) -> Self {
        Self { depth: Some((depth, colours)), ..Self::NONE }
    }

    /// The colours that it names.
    pub fn colours(&self) -> impl Iterator<Item = &'static str> {
        let depth = self.depth.map_or(&[][..], |(_, colours)| colours);
        [self.fill, self.stroke].into_iter().flatten().chain(depth.iter().copied())
    }
}

/// A hollow that the front end draws as a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Deep in the middle, with three colours.
    Bowl,
    /// Flat, with a shadow at the rim, and two colours.
    Well,
}

impl Depth {
    /// The name of the gradient in style sheets.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bowl => "bowl",
            Self::Well => "well",
        }
    }
}

/// What repeats all over a cell or an area. The front end draws these; the game names the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texture {
    /// Tufts of grass.
    Tufts,
    /// Waves of water.
    Waves,
    /// Scattered dots.
    Dots,
    /// Courses of stones.
    Masonry,
    /// The grain of wood.
    Grain,
    /// Stars at the corners of cells.
    Stars,
    /// Rings.
    Rings,
    /// Dashes.
    Dashes,
}

impl Texture {
    /// The name of the texture in style sheets.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tufts => "tufts",
            Self::Waves => "waves",
            Self::Dots => "dots",
            Self::Masonry => "masonry",
            Self::Grain => "grain",
            Self::Stars => "stars",
            Self::Rings => "rings",
            Self::Dashes => "dashes",
        }
    }
}

/// The looks of a kind of cells.
#[derive(Clone, Copy, Debug)]
pub struct CellLook {
    /// The kind.
    pub kind: &'static str,
    /// Its outline, if it is not the plain one.
    pub outline: Option<Paint>,
    /// What lies over it, and the colour of that.
    pub texture: Option<(Texture, &'static str)>,
    /// The hole in the cell, if there is one.
    pub hole: Option<Paint>,
}

impl CellLook {
    /// A kind with this outline.
    #[must_use]
    pub const fn new(kind: &'static str, outline: Paint) -> Self {
        Self { kind, outline: Some(outline), texture: None, hole: None }
    }

    /// The same with a texture.
    #[must_use]
    pub const fn texture(self, texture: Texture, colour: &'static str) -> Self {
        Self { texture: Some((texture, colour)), ..self }
    }

    /// The same with a hole.
    #[must_use]
    pub const fn hole(self, hole: Paint) -> Self {
        Self { hole: Some(hole), ..self }
    }
}

/// The looks of a kind of areas.
#[derive(Clone, Copy, Debug)]
pub struct AreaLook {
    /// The kind.
    pub kind: &'static str,
    /// Its paint; of an area with a texture the edge alone.
    pub paint: Paint,
    /// What fills it instead of a colour, and the colour of that.
    pub texture: Option<(Texture, &'static str)>,
    /// How much lower than its place it is drawn, in cells: the lower side of a plank, whichever way the board lies.
    pub lowered: f32,
    /// How much of what is below it is covered, 1 for all.
    pub opacity: f32,
}

impl AreaLook {
    /// A kind with this paint.
    #[must_use]
    pub const fn new(kind: &'static str, paint: Paint) -> Self {
        Self { kind, paint, texture: None, lowered: 0.0, opacity: 1.0 }
    }

    /// The same, drawn so much lower.
    #[must_use]
    pub const fn lowered(self, lowered: f32) -> Self {
        Self { lowered, ..self }
    }

    /// The same, through which what is below can be seen.
    #[must_use]
    pub const fn faint(self, opacity: f32) -> Self {
        Self { opacity, ..self }
    }

    /// A kind that is a texture over the areas below it.
    #[must_use]
    pub const fn texture(kind: &'static str, texture: Texture, colour: &'static str) -> Self {
        Self { texture: Some((texture, colour)), ..Self::new(kind, Paint::NONE) }
    }
}
