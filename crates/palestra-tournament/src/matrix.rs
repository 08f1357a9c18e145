//! Symmetric matrices and their inverses: the linear algebra of the ratings.

/// A square, symmetric matrix that is positive definite once it is complete.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// A matrix with this diagonal.
    pub(crate) fn diagonal(size: usize, value: f64) -> Self {
        let mut matrix = Self { size, cells: vec![0.0; size * size] };
        (0..size).for_each(|i| matrix.cells[i * size + i] = value);
        matrix
    }

    /// The number in a row and a column.
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Adds what a bond between two of that strength adds: to both on the diagonal, negative beside it.
    pub(crate) fn bind(&mut self, a: usize, b: usize, strength: f64) {
        self.cells[a * self.size + a] += strength;
        self.cells[b * self.size + b] += strength;
        self.cells[a * self.size + b] -= strength;
        self.cells[b * self.size + a] -= strength;
    }

    /// The product with a vector.
    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let dot = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.cells.chunks(self.size.max(1)).map(dot).collect()
    }

    /// The inverse, by Gauss and Jordan in place. A positive definite matrix has good pivots on its diagonal.
    pub(crate) fn inverse(mut self) -> Self {
        let size = self.size;
        for pivot in 0..size {
            let factor = 1.0 / self.at(pivot, pivot);
            self.cells[pivot * size + pivot] = 1.0;
            self.cells[pivot * size..(pivot + 1) * size].iter_mut().for_each(|cell| *cell *= factor);
            let row = self.cells[pivot * size..(pivot + 1) * size].to_vec();
            for other in (0..size).filter(|&other| other != pivot) {
                let cells = &mut self.cells[other * size..(other + 1) * size];
                let factor = std::mem::take(&mut cells[pivot]);
                cells.iter_mut().zip(&row).for_each(|(cell, above)| *cell -= factor * above);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let mut matrix = Matrix::diagonal(4, 0.1);
        [(0, 1, 2.0), (1, 2, 0.5), (2, 3, 30.0), (3, 0, 1.0)].into_iter().for_each(|(a, b, s)| matrix.bind(a, b, s));
        let inverse = matrix.clone().inverse();
        for i in 0..4 {
            let unit: Vec<_> = (0..4).map(|j| f64::from(u8::from(i == j))).collect();
            let back = inverse.times(&matrix.times(&unit));
            assert!(back.iter().zip(&unit).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}");
        }
    }
}
